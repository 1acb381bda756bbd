// Builds one index without keeping writers waiting. One that was left half built is no index, and only in the way.
import type { Queryable } from "../database/database.ts";
import { quote, sql } from "../database/sql.ts";
import { indexText } from "./index-text.ts";
import type { ShapedIndex } from "./table-shape.ts";

/** On a connection of its own, outside a transaction and without a time limit. */
export async function buildConcurrently(session: Queryable, table: string, index: ShapedIndex): Promise<void> {
  const existing = await session.row(sql`
    select indisvalid::text as valid from pg_index where indexrelid = to_regclass(${quote(index.name)})`);
  if (existing?.valid === "true") return;
  if (existing) await session.script(`drop index concurrently if exists ${quote(index.name)}`);
  await session.script(indexText(table, index, "concurrently"));
}
