// Takes a changed definition and an explicit wish to discard fields; does it without losing a value silently: what leaves a column is
// kept in metadata__discarded_values first. Never called by a start; only by a designer.

import type { Queryable } from "../database/database.ts";
import { expression, ident, quote, type Sql, sql } from "../database/sql.ts";
import type { Field } from "../fields/field-type.ts";
import { isLargeTable, readTable } from "./catalog.ts";
import { typeOf } from "./compile.ts";
import type { RecordType } from "./record-type.ts";
import { detachSearch, dropSearchTrigger, isSearched, SEARCH_COLUMN, SEARCH_TRIGGER } from "./search-text.ts";
import type { TableShape } from "./table-shape.ts";

export const wireOf = (field: Field): Sql => expression(typeOf(field).select(field, (column) => quote(column)));

export const organizationOf = (type: RecordType): Sql =>
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
  const kept = await transaction.run(sql`
    insert into metadata__discarded_values (organization_id, record_type, record_id, field, value)
    select ${organizationOf(type)}, ${type.key}, id::text, ${field.name}, _value
    from (select *, (${wireOf(field)})::text as _value from ${ident(type.table)}) as with_value
    where _value is not null`);
  await dropColumns(transaction, type, field);
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
