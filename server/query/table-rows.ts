// About how many rows a table has, those of all organizations and deleted ones included, by PostgreSQL's own guess; and a random part of
// its pages.
import type { Queryable } from "../database/queryable.ts";
import { expression, type Sql, sql } from "../database/sql.ts";

/** 0 where it has not been looked at yet. */
export async function tableRows(db: Pick<Queryable, "row">, table: string): Promise<number> {
  const row = await db.row(sql`select reltuples::bigint::text as rows from pg_class where oid = ${table}::regclass`);
  return Math.max(0, Number(row?.rows ?? 0));
}

/** Which part, from 0 to 1, has about as many rows as wanted: in two digits, because each other text is planned anew. */
export const shareOf = (wanted: number, all: number): number => Math.min(1, Number((wanted / all).toPrecision(2)));

/** Behind a table and its alias. The share stands in the text: Citus overlooks a value here, and sends none. */
export const tableSample = (share: number): Sql =>
  expression(`tablesample system (${Number((100 * share).toPrecision(2))})`);
