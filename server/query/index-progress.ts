// Takes a record type and an index being built for it; returns the progress in percent, as reported by PostgreSQL.
import type { Queryable } from "../database/database.ts";
import { quote, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { fieldIndexes } from "../metadata/table-shape.ts";

/** Of one index: the table is read, sorted into the index, and read once more for what came meanwhile. */
const shares: readonly { readonly phase: string; readonly from: number; readonly to: number }[] = [
  { phase: "building index: scanning table", from: 0, to: 0.5 },
  { phase: "building index: sorting", from: 0.5, to: 0.5 },
  { phase: "building index: loading", from: 0.6, to: 0.6 },
  { phase: "index validation: scanning table", from: 0.75, to: 0.95 },
  { phase: "index validation: scanning index", from: 0.7, to: 0.75 },
  { phase: "index validation: sorting", from: 0.75, to: 0.75 },
];

export async function indexProgress(db: Queryable, type: RecordType, field: string): Promise<number> {
  const names = fieldIndexes(type, field).map(({ name }) => quote(name));
  const row = await db.row(sql`
    select (select count(*) from unnest(${names}::text[]) as n(name) join pg_index i on i.indexrelid = to_regclass(n.name)
        where i.indisvalid)::text as ready,
      p.phase, (p.blocks_done::float / nullif(p.blocks_total, 0))::text as part
    from (select 1) one left join lateral (
      select * from pg_stat_progress_create_index where relid = to_regclass(${quote(type.table)}) limit 1) p on true`);
  const phase = shares.find((one) => row?.phase?.startsWith(one.phase));
  const within = phase ? phase.from + (phase.to - phase.from) * Math.min(1, Number(row?.part ?? 0)) : 0;
  return Math.min(99, Math.floor((100 * (Number(row?.ready ?? 0) + within)) / names.length));
}
