// Takes a type as it is and as it would be; gives what a designer should know before saving: which fields would go with how
// many values, and which would change type with values that fit or do not. Reads alone.
import type { Message } from "../../contract/messages.ts";
import type { Queryable } from "../database/database.ts";
import { ident, sql } from "../database/sql.ts";
import { isFilledIn } from "../fields/field-type.ts";
import { referencedBy } from "./associations.ts";
import { type Readable, readConverted, type TimeLimit } from "./changes/convert-fields.ts";
import { renamedFields, withNames } from "./changes/rename-fields.ts";
import { typeOf } from "./compile.ts";
import type { RecordType, RecordTypeKey } from "./record-type.ts";
import { wireOf } from "./redesign.ts";

export interface LostField {
  readonly field: string;
  readonly label: string;
  readonly values: number;
}

export interface ChangedField extends LostField {
  readonly from: string;
  readonly to: string;
  /** Values that the new type cannot hold: while there are any, the change is refused. */
  readonly refused: number;
  readonly examples: readonly Message[];
}

export interface RenamedField {
  readonly field: string;
  readonly label: string;
  readonly from: string;
}

export interface ChangePreview {
  readonly renamed: readonly RenamedField[];
  readonly discarded: readonly LostField[];
  readonly converted: readonly ChangedField[];
}

/** Fields of people's own that the new design no longer has. */
export const missingFields = (before: RecordType, after: RecordType): readonly string[] =>
  before.fields.filter((field) => !isFilledIn(field) && !after.field.has(field.name)).map((field) => field.name);

/** Computed fields that the new design no longer has, or has with other columns: nobody's values, they are made anew. */
export const droppedFields = (before: RecordType, after: RecordType): readonly string[] =>
  [...before.computed.keys()].filter((name) => {
    const now = after.field.get(name);
    return !now || (now.computed !== undefined && columnsOf(before, name) !== columnsOf(after, name));
  });

const columnsOf = (type: RecordType, name: string): string => JSON.stringify(type.columns.get(name));

/** Fields that people have filled in so far, and that would be computed. */
export const becomingComputed = (before: RecordType, after: RecordType): readonly string[] =>
  [...after.computed.keys()].filter((name) => {
    const field = before.field.get(name);
    return field !== undefined && field.computed === undefined;
  });

/** Computed fields whose values may be others by the new design; `converted`: fields that hold other values now. */
export const recomputedFields = (
  before: RecordType | undefined,
  after: RecordType,
  converted: readonly string[] = [],
): readonly string[] =>
  [...after.computed]
    .filter(
      ([name, { reads }]) =>
        briefOf(before, name) !== briefOf(after, name) ||
        reads.some(({ type, field }) => type === after.key && converted.includes(field)),
    )
    .map(([name]) => name);

/** Computed fields of all other types that are derived from one of these fields of a type, at any distance. */
export const derivedElsewhere = (
  types: Iterable<RecordType>,
  key: RecordTypeKey,
  changed: ReadonlySet<string>,
): readonly { readonly type: RecordTypeKey; readonly fields: readonly string[] }[] =>
  [...types].flatMap((type) => {
    if (type.key === key) return [];
    const fields = [...type.computed]
      .filter(([, { reads }]) => reads.some((one) => one.type === key && changed.has(one.field)))
      .map(([name]) => name);
    return fields.length > 0 ? [{ type: type.key, fields }] : [];
  });

const briefOf = (type: RecordType | undefined, name: string): string =>
  JSON.stringify([type?.field.get(name)?.computed, type?.columns.get(name), type?.field.get(name)?.settings]);

/** Fields whose columns, or whose target, the new design changes. */
export const retypedFields = (before: RecordType, after: RecordType): readonly string[] =>
  before.fields
    .filter((field) => {
      const now = after.field.get(field.name);
      if (field.system || !now || (field.computed && now.computed)) return false;
      return (
        columnsOf(before, field.name) !== columnsOf(after, field.name) ||
        referencedBy(before, field) !== referencedBy(after, now)
      );
    })
    .map((field) => field.name);

/** Nothing is changed for a type that is new. */
export const noChanges: ChangePreview = { renamed: [], discarded: [], converted: [] };

export async function previewChanges(
  db: Queryable,
  stored: RecordType,
  after: RecordType,
  readable: Readable | undefined,
  limit?: TimeLimit,
): Promise<ChangePreview> {
  const renames = renamedFields(stored, after);
  const before = withNames(stored, renames);
  const storedName = (name: string): string => [...renames].find(([, to]) => to === name)?.[0] ?? name;
  const renamed = [...renames].map(([from, field]) => ({ field, from, label: after.field.get(field)?.label ?? field }));
  const discarded: LostField[] = [];
  for (const name of missingFields(before, after)) {
    const field = before.field.get(name);
    if (!field) continue;
    const row = await db.row(sql`
      select count(value)::text as count from (select (${wireOf(field)})::text as value from ${ident(before.table)}) as with_value`);
    discarded.push({ field: name, label: field.label, values: Number(row?.count ?? 0) });
  }
  const converted: ChangedField[] = [];
  for (const name of retypedFields(before, after)) {
    const [from, to] = [stored.field.get(storedName(name)), after.field.get(name)];
    if (!from || !to) continue;
    const { fitting, refused, examples } = await readConverted(db, stored, { from, to, readable, limit });
    converted.push({
      field: name,
      label: from.label,
      from: typeOf(from).label,
      to: typeOf(to).label,
      values: fitting + refused,
      refused,
      examples: examples.slice(0, 5),
    });
  }
  return { renamed, discarded, converted };
}
