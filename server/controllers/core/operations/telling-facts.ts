// What tells two records of the same name apart, by what the fields of their type are: whom they belong to, a line of text, an
// address, a choice, the owner. Only what the caller may read is asked for.
import { typeOf } from "../../../metadata/compile.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import type { Snapshot } from "../../../metadata/snapshot.ts";
import { resolveColumn, type Scope, unlessRefused } from "../../../plan/column.ts";

/** Of each kind; names among the texts are passed over when they are written. */
const MOST_TEXTS = 5;
const MOST_FACTS = 4;

export interface Telling {
  readonly label: string;
  /** As a list's `fields` name it. */
  readonly column: string;
  /** The text of a wire value, as people read it. */
  read(text: string): string;
}

export interface Fact {
  readonly label: string;
  readonly text: string;
}

export function tellingColumns(scope: Scope): readonly Telling[] {
  const { type, snapshot } = scope;
  const fields = type.fields.filter(({ name }) => name !== type.displayField);
  const own = (fits: (field: (typeof fields)[number]) => boolean, most: number): readonly Telling[] =>
    fields
      .filter((field) => fits(field))
      .slice(0, most)
      .map((field) => ({
        label: field.label,
        column: `${type.alias}.${field.name}`,
        read: (text) => typeOf(field).display?.(text, field) ?? text,
      }));
  return [
    // What a workflow fills in tells where a record went, not whose it is.
    ...referred(type, snapshot, (target, via) => target.allowComments && type.field.get(via)?.permission === 2),
    ...own((field) => field.searchable && typeOf(field).isName === true, MOST_TEXTS),
    ...own((field) => typeOf(field).isMailAddress === true, 1),
    ...own((field) => typeOf(field).picks === "one" && hasColors(typeOf(field).inputSettings?.(field)), 1),
    ...referred(type, snapshot, (_, via) => via === "owned_by"),
  ].filter(({ column }) => unlessRefused(() => resolveColumn(scope, column)) !== undefined);
}

/** A choice whose options have colors says how far a record is. */
const hasColors = (settings: Readonly<Record<string, unknown>> | undefined): boolean =>
  Array.isArray(settings?.options) &&
  settings.options.some((option: unknown) => typeof option === "object" && option !== null && "color" in option);

/** By what the first record that it refers to so is called. */
function referred(
  type: RecordType,
  snapshot: Snapshot,
  fits: (target: RecordType, via: string) => boolean,
): readonly Telling[] {
  for (const association of type.associations) {
    if (association.kind !== "belongs-to") continue;
    const target = snapshot.types.get(association.type);
    const label = type.field.get(association.via)?.label;
    if (!target || label === undefined || !fits(target, association.via)) continue;
    return [{ label, column: `${type.alias}.${association.via}.${target.displayField}`, read: (text) => text }];
  }
  return [];
}

/** Of one record, in their order: what its name says already is left out, and what another fact says. */
export function factsOf(name: string | null, telling: readonly Telling[], texts: readonly (string | null)[]): Fact[] {
  const facts: Fact[] = [];
  telling.forEach(({ label, read }, index) => {
    const sent = texts[index];
    if (sent === null || sent === undefined || sent === "" || facts.length === MOST_FACTS) return;
    const text = read(sent);
    if (name?.includes(text) || facts.some((fact) => fact.text === text)) return;
    facts.push({ label, text });
  });
  return facts;
}
