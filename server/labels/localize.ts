// Takes a snapshot, a language and what an organization has translated itself; gives the snapshot as its readers see it: the labels
// of types, fields, options and associations in their language. Names, values and everything else stay. Made once and kept.
import { inlineLabel } from "../../contract/labels.ts";
import type { Language } from "../../contract/texts/languages.ts";
import { oneLine } from "../fields/columns/plain-text.ts";
import type { Field } from "../fields/field-type.ts";
import { typeOf } from "../metadata/compile.ts";
import type { Association, RecordType } from "../metadata/record-type.ts";
import { aliasesOf, type Snapshot } from "../metadata/snapshot.ts";
import { shippedLabels } from "./shipped-labels.ts";
import { shipsWith } from "./shipped-places.ts";

/** Own translations of an organization. */
export interface Glossary {
  readonly version: string;
  /** By language, then by the label in one line. */
  readonly labels: ReadonlyMap<Language, ReadonlyMap<string, string>>;
}

const noGlossary: Glossary = { version: "", labels: new Map() };

const known = new WeakMap<Snapshot, WeakMap<Glossary, Map<Language, Snapshot>>>();

export function localize(snapshot: Snapshot, language: Language, glossary: Glossary = noGlossary): Snapshot {
  const own = glossary.labels.get(language);
  if (language === "en" && own === undefined) return snapshot;
  const bySnapshot = known.get(snapshot) ?? new WeakMap<Glossary, Map<Language, Snapshot>>();
  known.set(snapshot, bySnapshot);
  const byLanguage = bySnapshot.get(glossary) ?? new Map<Language, Snapshot>();
  bySnapshot.set(glossary, byLanguage);
  let localized = byLanguage.get(language);
  if (localized === undefined) {
    const wording = `${language} ${glossary.version}`;
    localized = translateSnapshot(snapshot, { language, wording, words: wordsOf(language, own) }, own);
    byLanguage.set(language, localized);
  }
  return localized;
}

/** What somebody of the organization wrote comes before what ships. */
function wordsOf(language: Language, own: ReadonlyMap<string, string> | undefined): (label: string) => string {
  const shipped = shippedLabels(language);
  return (label) => own?.get(oneLine(label)) ?? shipped.get(label) ?? label;
}

function translateSnapshot(
  snapshot: Snapshot,
  labels: Pick<Snapshot, "language" | "wording" | "words">,
  own: ReadonlyMap<string, string> | undefined,
): Snapshot {
  const { language, words } = labels;
  const wordsOn = (key: string): ((label: string) => string) => {
    const ships = shipsWith(key);
    return (label) => (ships(label) ? words(label) : (own?.get(oneLine(label)) ?? label));
  };
  const types = new Map([...snapshot.types].map(([key, type]) => [key, translateType(type, language, wordsOn(key))]));
  return Object.freeze({ ...snapshot, ...labels, types, aliases: aliasesOf(types) });
}

function translateType(type: RecordType, language: Language, words: (label: string) => string): RecordType {
  const fields = type.fields.map((field) => translateField(field, words));
  const associations = type.associations.map((one): Association => ({ ...one, label: words(one.label) }));
  const [label, plural] = [words(type.label), words(type.plural)];
  return Object.freeze({
    ...type,
    label,
    plural,
    noun: inlineLabel(label, language),
    nouns: inlineLabel(plural, language),
    fields: Object.freeze(fields),
    field: new Map(fields.map((field) => [field.name, field])),
    associations: Object.freeze(associations),
    association: new Map(associations.map((association) => [association.name, association])),
  });
}

function translateField(field: Field, words: (label: string) => string): Field {
  const label = words(field.label);
  return Object.freeze({
    ...field,
    label,
    ...(label === field.label ? {} : { original: field.label }),
    help: field.help === undefined ? undefined : words(field.help),
    settings: typeOf(field).translate?.(field.settings, words) ?? field.settings,
  });
}
