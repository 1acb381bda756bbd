// Takes a design as two people found it, as one of them saved it and as the other has it now; tells what each changed and where they meet, and
// gives one's changes on top of the other's. A field is known by the name that it is stored under. Pure.
import { type DraftField, definitionOf, sortKeys, type TypeDraft } from "../type-draft.ts";

export type Differs = "added" | "removed" | "changed";

export interface Difference {
  /** A field by its id, or a part of the type by its key. */
  readonly place: string;
  readonly label: string;
  readonly isField: boolean;
  readonly differs: Differs;
  /** What of it, where it is changed. */
  readonly parts: readonly string[];
}

type Parts = ReadonlyMap<string, unknown>;

/** Keys in any order are the same. */
const said = (value: unknown): string => JSON.stringify(value ?? null, sortKeys);

/** Each property by itself, settings one by one. */
function partsOfField(field: DraftField): Parts {
  const { id: _, isStored: __, storedType: ___, shipped: ____, impliedLabel: _____, settings, ...rest } = field;
  const own = Object.entries(settings ?? {}).map(([name, value]) => [`settings.${name}`, value] as const);
  return new Map<string, unknown>([...Object.entries(rest), ...own].filter(([, value]) => value !== undefined));
}

function partsOfType(draft: TypeDraft): Parts {
  const { fields: _, ...rest } = definitionOf(draft);
  return new Map(Object.entries(rest));
}

const changedParts = (from: Parts, to: Parts): readonly string[] =>
  [...new Set([...from.keys(), ...to.keys()])].filter((name) => said(from.get(name)) !== said(to.get(name)));

const fieldOf = (draft: TypeDraft, id: string): DraftField | undefined => draft.fields.find((one) => one.id === id);

const labelOf = ({ label, name }: DraftField): string => label || name;

/** A field that was saved under another name has the old one as an alias: it is known by that, as in the base. */
function asInBase(base: TypeDraft, saved: TypeDraft): TypeDraft {
  const fields = saved.fields.map((field) => {
    const old = field.aliases?.find((alias) => fieldOf(base, alias) && !fieldOf(saved, alias));
    return old === undefined || fieldOf(base, field.id) ? field : { ...field, id: old };
  });
  return { ...saved, fields };
}

/** What one of them changed. */
export function differences(base: TypeDraft, latest: TypeDraft): readonly Difference[] {
  const now = asInBase(base, latest);
  const found: Difference[] = [];
  for (const place of new Set([...base.fields, ...now.fields].map(({ id }) => id))) {
    const [was, is] = [fieldOf(base, place), fieldOf(now, place)];
    const parts = was && is ? changedParts(partsOfField(was), partsOfField(is)) : [];
    const one = is ?? was;
    if (!one || (was && is && parts.length === 0)) continue;
    found.push({
      place,
      label: labelOf(one),
      isField: true,
      differs: !was ? "added" : is ? "changed" : "removed",
      parts,
    });
  }
  for (const place of changedParts(partsOfType(base), partsOfType(now))) {
    found.push({ place, label: place, isField: false, differs: "changed", parts: [] });
  }
  return found;
}

/** A field of theirs that has got the name that another one has in mine: of the two, one stays. */
function namesakeOf(base: TypeDraft, theirs: TypeDraft, own: DraftField | undefined): DraftField | undefined {
  const other = theirs.fields.find(({ id, name }) => id !== own?.id && name === own?.name);
  return other && fieldOf(base, other.id)?.name !== other.name ? other : undefined;
}

/** Places that both changed, in ways that do not come to the same. */
export function overlaps(base: TypeDraft, saved: TypeDraft, mine: TypeDraft): ReadonlySet<string> {
  const theirs = asInBase(base, saved);
  const theirsBy = new Map(differences(base, theirs).map((one) => [one.place, one]));
  const met = new Set<string>();
  for (const one of differences(base, mine)) {
    const other = theirsBy.get(one.place);
    const [is, own] = [fieldOf(theirs, one.place), fieldOf(mine, one.place)];
    const namesake = one.isField ? namesakeOf(base, theirs, own) : undefined;
    if (namesake) {
      met.add(one.place).add(namesake.id);
    } else if (other && one.isField) {
      const both = one.parts.filter((part) => other.parts.includes(part));
      const [a, b] = [is && partsOfField(is), own && partsOfField(own)];
      const isApart = a && b ? both.every((part) => said(a.get(part)) === said(b.get(part))) : !a && !b;
      if (!isApart) met.add(one.place);
    } else if (other && said(partsOfType(theirs).get(one.place)) !== said(partsOfType(mine).get(one.place))) {
      met.add(one.place);
    }
  }
  return met;
}

/**
 * Mine on top of theirs. `over`: also where both changed; else theirs stay there. A name that a field of theirs is stored under cannot be
 * given to another one in the same save: that one keeps its own.
 */
export function merged(base: TypeDraft, saved: TypeDraft, mine: TypeDraft, over: boolean): TypeDraft {
  const theirs = asInBase(base, saved);
  const storedAs = new Map(theirs.fields.map(({ id }, place) => [id, saved.fields[place]?.id ?? id]));
  const met = overlaps(base, theirs, mine);
  const wanted = differences(base, mine).filter(({ place }) => over || !met.has(place));
  let fields = [...theirs.fields];
  let type: TypeDraft = theirs;
  for (const { place, isField, differs, parts } of wanted) {
    const own = fieldOf(mine, place);
    if (!isField) type = { ...type, [place]: partsOfType(mine).get(place) };
    else if (differs === "removed" || !own) fields = fields.filter(({ id }) => id !== place);
    else if (!fields.some(({ id }) => id === place)) {
      // Theirs of that name gives way; what they removed is a new field.
      fields = [...fields.filter(({ name }) => name !== own.name), withoutStore(own)];
    } else {
      const taken = namesakeOf(base, theirs, own) ? parts.filter((part) => part !== "name") : parts;
      fields = fields.map((field) => (field.id === place ? withParts(field, own, taken) : field));
    }
  }
  const ordered = inOrder(base, mine, fields);
  return { ...type, fields: ordered.map((field) => ({ ...field, id: storedAs.get(field.id) ?? field.id })) };
}

const withoutStore = ({ storedType: _, ...field }: DraftField): DraftField => ({
  ...field,
  isStored: false,
  id: field.isStored ? crypto.randomUUID() : field.id,
});

function withParts(field: DraftField, own: DraftField, parts: readonly string[]): DraftField {
  const from = partsOfField(own);
  const next: Record<string, unknown> = { ...field };
  const settings: Record<string, unknown> = { ...field.settings };
  for (const part of parts) {
    const isSetting = part.startsWith("settings.");
    const [target, name] = isSetting ? [settings, part.slice("settings.".length)] : [next, part];
    if (from.has(part)) target[name] = from.get(part);
    else delete target[name];
  }
  delete next.settings;
  // Every key came from a field.
  return { ...next, ...(Object.keys(settings).length === 0 ? {} : { settings }) } as unknown as DraftField;
}

/** As I have put them in order, where I have. */
function inOrder(base: TypeDraft, mine: TypeDraft, fields: readonly DraftField[]): readonly DraftField[] {
  const order = (draft: TypeDraft, other: TypeDraft) =>
    draft.fields.map(({ id }) => id).filter((id) => fieldOf(other, id) !== undefined);
  if (said(order(base, mine)) === said(order(mine, base))) return fields;
  const places = new Map(mine.fields.map(({ id }, place) => [id, place]));
  const placeOf = ({ id }: DraftField): number => places.get(id) ?? mine.fields.length;
  return fields.toSorted((one, other) => placeOf(one) - placeOf(other));
}
