// Takes a changed definition and an explicit wish to discard or convert fields; does it without losing a value
// silently: what leaves a column is kept in metadata__discarded_values first, and a value that the new type
// cannot hold refuses the whole change. Never called by a start; only by a designer.

import { Failure } from "../../contract/failures.ts";
import { about, type Message, say } from "../../contract/messages.ts";
import type { Queryable } from "../database/database.ts";
import { expression, ident, join, quote, type Sql, sql, typeName } from "../database/sql.ts";
import type { Field, RowValue } from "../fields/field-type.ts";
import { isLargeTable, readTable } from "./catalog.ts";
import { typeOf } from "./compile.ts";
import type { RecordType } from "./record-type.ts";
import { detachSearch, dropSearchTrigger, isSearched, SEARCH_COLUMN, SEARCH_TRIGGER } from "./search-text.ts";
import type { TableShape } from "./table-shape.ts";
import { columnText } from "./table-sync.ts";

const BATCH = 2_000;

export const wireOf = (field: Field): Sql => expression(typeOf(field).select(field, (column) => quote(column)));

const organizationOf = (type: RecordType): Sql =>
  type.scope === "organization" ? sql`organization_id` : sql`0::bigint`;

/** What the new design no longer asks for must no longer bind: indexes (but those that go later), uniqueness, references. */
export async function dropObsolete(
  transaction: Queryable,
  before: TableShape,
  after: TableShape,
  later: ReadonlySet<string> = new Set(),
): Promise<void> {
  const among = (list: readonly unknown[], one: unknown) =>
    list.some((other) => JSON.stringify(other) === JSON.stringify(one));
  for (const key of before.foreignKeys.filter((one) => !among(after.foreignKeys, one))) {
    await transaction.script(`alter table ${quote(before.table)} drop constraint if exists ${quote(key.name)}`);
  }
  for (const index of before.indexes.filter((one) => !later.has(one.name) && !among(after.indexes, one))) {
    await transaction.script(`drop index if exists ${quote(index.name)}`);
  }
}

/** Keeps every value of a field, and then drops its columns. Gives how many values were kept. */
export async function discardField(transaction: Queryable, type: RecordType, field: Field): Promise<number> {
  const kept = await keepValues(transaction, type, field, sql`true`);
  await dropColumns(transaction, type, field);
  return kept;
}

async function keepValues(transaction: Queryable, type: RecordType, field: Field, which: Sql): Promise<number> {
  const kept = await transaction.run(sql`
    insert into metadata__discarded_values (organization_id, record_type, record_id, field, value)
    select ${organizationOf(type)}, ${type.key}, id::text, ${field.name}, value
    from (select *, (${wireOf(field)})::text as value from ${ident(type.table)}) as with_value
    where value is not null and ${which}`);
  return kept.count;
}

/** Table sync makes the search column anew, without the field that goes now. */
export async function detachFromSearch(transaction: Queryable, type: RecordType, field: Field): Promise<void> {
  if (!isSearched(type, field)) return;
  for (const statement of await withoutSearch(transaction, type.table)) await transaction.script(statement);
}

export async function dropColumns(transaction: Queryable, type: RecordType, field: Field): Promise<void> {
  await detachFromSearch(transaction, type, field);
  for (const column of type.columns.get(field.name) ?? []) {
    await transaction.script(`alter table ${quote(type.table)} drop column ${quote(column.name)}`);
  }
  await transaction.run(sql`delete from metadata__synced_tables where table_name = ${type.table}`);
}

async function withoutSearch(transaction: Queryable, table: string): Promise<readonly string[]> {
  const existing = await readTable(transaction, table);
  // Gone with another field.
  if (!existing?.columns.get(SEARCH_COLUMN)) return [];
  if (await isLargeTable(transaction, table)) return detachSearch(table);
  const drop = `alter table ${quote(table)} drop column ${quote(SEARCH_COLUMN)}`;
  return existing.triggers.has(SEARCH_TRIGGER) ? [dropSearchTrigger(table), drop] : [drop];
}

/** The condition for the records of a type, under an alias, that whoever designs may read. */
export type Readable = (type: RecordType, alias: string) => Sql;

interface ConvertedRow {
  readonly organizationId: string;
  readonly id: string;
  readonly values: readonly RowValue[];
}

export interface Converted {
  /** How many values the other field can hold. */
  readonly fitting: number;
  /** Those to be written; not collected unless asked for. */
  readonly rows: readonly ConvertedRow[];
  /** How many values the other field cannot hold. */
  readonly refused: number;
  /** Some of these in words; none of a record that whoever designs may not read. */
  readonly examples: readonly Message[];
}

const MOST_EXAMPLES = 10;

/** More would be held in memory, and keep everybody waiting, for too long. */
export const MOST_CONVERTED = 500_000;

/** Text that stays text stays where it is: only what the other field spells otherwise is written. */
function staysInPlace(from: Field, to: Field): boolean {
  const [before, after] = [typeOf(from).columns(from), typeOf(to).columns(to)];
  return [before, after].every((columns) => columns.length === 1 && columns[0]?.type === "text");
}

/** Every value of a field as another would hold it. */
export async function readConverted(
  db: Queryable,
  before: RecordType,
  from: Field,
  to: Field,
  readable: Readable | undefined,
  collects = false,
): Promise<Converted> {
  let [fitting, refused] = [0, 0];
  const examples: Message[] = [];
  const rows: ConvertedRow[] = [];
  const stays = staysInPlace(from, to);
  const idType = typeName(before.idKind === "uuid" ? "uuid" : "bigint");
  let last: string | undefined;
  for (;;) {
    const after = last === undefined ? sql`true` : sql`id > ${last}::${idType}`;
    const kept: { organization_id: string; id: string; value: string }[] = await db.rows(sql`
      select ${organizationOf(before)}::text as organization_id, id::text as id, value
      from (select *, (${wireOf(from)})::text as value from ${ident(before.table)}) as r
      where value is not null and ${after} order by r.id limit ${BATCH}`);
    const misfits: { readonly id: string; readonly example: Message }[] = [];
    for (const { organization_id, id, value } of kept) {
      const parsed = typeOf(to).parse(value, to, { locale: "en-US", timeZone: "UTC" });
      if (parsed.ok) {
        fitting += 1;
        if (collects && !(stays && parsed.row[0] === value))
          rows.push({ organizationId: organization_id, id, values: parsed.row });
      } else {
        refused += 1;
        const faults = parsed.errors.map((one) => about(JSON.stringify(value), one));
        misfits.push({ id, example: say("record_value", { id, faults }) });
      }
    }
    if (examples.length < MOST_EXAMPLES && misfits.length > 0 && readable) {
      const ids = misfits.map(({ id }) => id);
      const told = await db.rows(sql`
        select r.id::text as id from ${ident(before.table)} r
        where ${readable(before, "r")} and r.id = any(${ids}::${idType}[])`);
      const mayTell = new Set(told.map(({ id }) => id));
      const mine = misfits.filter(({ id }) => mayTell.has(id)).map(({ example }) => example);
      examples.push(...mine.slice(0, MOST_EXAMPLES - examples.length));
    }
    if (stays ? rows.length > MOST_CONVERTED : fitting > MOST_CONVERTED) {
      const tooMany = say("too_many_to_convert", { name: from.label, most: MOST_CONVERTED, type: typeOf(to).label });
      const byField = { [`record_types.fields.${to.name}.type`]: [tooMany] };
      throw new Failure("definition_refused", { with: { faults: [tooMany] }, byField });
    }
    last = kept.at(-1)?.id;
    if (kept.length < BATCH) return { fitting, rows, refused, examples };
  }
}

export interface Conversion {
  readonly from: Field;
  readonly to: Field;
  readonly converted: Converted;
}

/** Every value must be readable by the new type, else nothing changes. Where values move to another column nobody writes meanwhile. */
export async function planConversion(
  transaction: Queryable,
  before: RecordType,
  after: RecordType,
  name: string,
  { convert, readable }: { readonly convert?: readonly string[]; readonly readable?: Readable },
): Promise<Conversion> {
  const from = before.field.get(name);
  const to = after.field.get(name);
  if (!from || !to)
    throw new Failure("definition_refused", { with: { faults: [say("nothing_to_convert", { name })] } });
  if (!convert?.includes(name)) {
    const unconfirmed = say("convert_unconfirmed", { name, from: typeOf(from).label, to: typeOf(to).label });
    throw new Failure("definition_refused", { with: { faults: [unconfirmed] } });
  }
  if (!staysInPlace(from, to)) await transaction.script(`lock table ${quote(before.table)} in access exclusive mode`);
  const converted = await readConverted(transaction, before, from, to, readable, true);
  const { fitting, refused, examples } = converted;
  if (refused > 0) {
    const misfit = say("values_do_not_fit", { refused, count: fitting + refused, name, type: typeOf(to).label });
    const byField = { [`record_types.fields.${name}.type`]: [misfit] };
    throw new Failure("definition_refused", { with: { faults: [misfit] }, errors: examples, byField });
  }
  return { from, to, converted };
}

/** Re-types a field in place. */
export async function convertField(
  transaction: Queryable,
  before: RecordType,
  after: RecordType,
  { from, to, converted: { rows } }: Conversion,
): Promise<void> {
  const columns = after.columns.get(to.name) ?? [];
  const idType = typeName(after.idKind === "uuid" ? "uuid" : "bigint");
  if (staysInPlace(from, to)) await retypeText(transaction, before, from, to, rows, idType);
  else {
    await discardField(transaction, before, from);
    for (const column of columns) {
      const text = columnText({ ...column, constraint: "" });
      await transaction.script(`alter table ${quote(after.table)} add column ${text}`);
    }
  }
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH);
    const names = columns.map((_, index) => ident(`c${index}`));
    const assignments = columns.map((column, index) => sql`${ident(column.name)} = given.${ident(`c${index}`)}`);
    const arrays = columns.map((_, index) => sql`${batch.map((row) => row.values[index] ?? null)}::text[]`);
    const values = columns.map((column, index) => sql`${ident(`c${index}`)}::${typeName(column.type)}`);
    await transaction.run(sql`
      with given(organization_id, id, ${join(names)}) as materialized (
        select organization_id::bigint, id::${idType}, ${join(values)}
        from unnest(${batch.map((row) => row.organizationId)}::text[], ${batch.map((row) => row.id)}::text[], ${join(arrays)})
          as sent(organization_id, id, ${join(names)}))
      update ${ident(after.table)} as record set ${join(assignments)} from given
      where ${after.scope === "organization" ? sql`record.organization_id = given.organization_id and ` : sql``}record.id = given.id`);
  }
}

/** Keeps the values that are about to be spelled otherwise, and lets the column sort as the new type does. */
async function retypeText(
  transaction: Queryable,
  before: RecordType,
  from: Field,
  to: Field,
  rows: readonly ConvertedRow[],
  idType: Sql,
): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH) {
    const ids = rows.slice(start, start + BATCH).map(({ id }) => id);
    await keepValues(transaction, before, from, sql`id = any(${ids}::${idType}[])`);
  }
  await detachFromSearch(transaction, before, from);
  const [column] = typeOf(to).columns(to);
  if (column?.collation !== typeOf(from).columns(from)[0]?.collation) {
    const collation = quote(column?.collation ?? "default");
    await transaction.script(
      `alter table ${quote(before.table)} alter column ${quote(from.name)} type text collate ${collation}`,
    );
  }
  await transaction.run(sql`delete from metadata__synced_tables where table_name = ${before.table}`);
}
