// Takes table names; gives what PostgreSQL's catalog says of them: columns, indexes, foreign keys.
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface ExistingTable {
  readonly columns: ReadonlyMap<string, { readonly type: string; readonly comment: string | null }>;
  readonly indexes: ReadonlySet<string>;
  readonly constraints: ReadonlySet<string>;
}

export async function readTable(db: Queryable, table: string): Promise<ExistingTable | undefined> {
  const columns = await db.rows<{ name: string; type: string; comment: string | null }>(sql`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, col_description(a.attrelid, a.attnum) as comment
    from pg_attribute a
    where a.attrelid = to_regclass(${`"${table}"`}) and a.attnum > 0 and not a.attisdropped`);
  if (columns.length === 0) return undefined;
  const indexes = await db.rows<{ name: string }>(sql`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = to_regclass(${`"${table}"`})`);
  const constraints = await db.rows<{ name: string }>(sql`
    select conname as name from pg_constraint where conrelid = to_regclass(${`"${table}"`})`);
  return {
    columns: new Map(columns.map((column) => [column.name, { type: column.type, comment: column.comment }])),
    indexes: new Set(indexes.map((index) => index.name)),
    constraints: new Set(constraints.map((constraint) => constraint.name)),
  };
}
