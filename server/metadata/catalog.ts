// Takes table names; gives what PostgreSQL's catalog says of them: columns, indexes, foreign keys, triggers; and whether they are large.
import { readDistributed } from "../database/citus/distributed.ts";
import type { Queryable } from "../database/database.ts";
import { ident, sql } from "../database/sql.ts";

export interface ExistingTable {
  readonly columns: ReadonlyMap<string, { readonly type: string; readonly comment: string | null }>;
  /** Half built: left by whoever was killed at it. */
  readonly indexes: ReadonlyMap<string, "valid" | "half built">;
  readonly constraints: ReadonlySet<string>;
  readonly triggers: ReadonlySet<string>;
}

export async function readTable(db: Queryable, table: string): Promise<ExistingTable | undefined> {
  const columns = await db.rows<{ name: string; type: string; comment: string | null }>(sql`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, col_description(a.attrelid, a.attnum) as comment
    from pg_attribute a
    where a.attrelid = to_regclass(${`"${table}"`}) and a.attnum > 0 and not a.attisdropped`);
  if (columns.length === 0) return undefined;
  const indexes = await db.rows<{ name: string; valid: string }>(sql`
    select c.relname as name, i.indisvalid::text as valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = to_regclass(${`"${table}"`})`);
  const constraints = await db.rows<{ name: string }>(sql`
    select conname as name from pg_constraint where conrelid = to_regclass(${`"${table}"`})`);
  const triggers = await db.rows<{ name: string }>(sql`
    select tgname as name from pg_trigger where tgrelid = to_regclass(${`"${table}"`}) and not tgisinternal`);
  return {
    columns: new Map(columns.map((column) => [column.name, { type: column.type, comment: column.comment }])),
    indexes: new Map(indexes.map(({ name, valid }) => [name, valid === "true" ? "valid" : "half built"])),
    constraints: new Set(constraints.map((constraint) => constraint.name)),
    triggers: new Set(triggers.map((trigger) => trigger.name)),
  };
}

/** So many rows are written anew, or read for an index, while everybody waits. */
const LARGE = 10_000;

/** Distributed tables have no triggers of this kind: what is done to them is done at once. */
export async function isLargeTable(db: Queryable, table: string): Promise<boolean> {
  if (await readDistributed(db)) return false;
  const row = await db.row(sql`
    select (count(*) > ${LARGE})::text as large
    from (select 1 from ${ident(table)} limit ${LARGE + 1}) as counted`);
  return row?.large === "true";
}
