// About how many rows a table has, those of all organizations and deleted ones included: PostgreSQL's own guess.
import type { Queryable } from "../database/queryable.ts";
import { sql } from "../database/sql.ts";

/** 0 where it has not been looked at yet. */
export async function tableRows(db: Pick<Queryable, "row">, table: string): Promise<number> {
  const row = await db.row(sql`select reltuples::bigint::text as rows from pg_class where oid = ${table}::regclass`);
  return Math.max(0, Number(row?.rows ?? 0));
}
