// Finds the records of a type that were written while its values were looked through: their changes are events, whether they have a
// position by now or not. Reading all records once more would keep everybody waiting.
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { RecordType } from "../record-type.ts";

/** By organization: where its events ended. */
export type EventHeads = ReadonlyMap<string, string>;

/** Call before the first value is read. */
export async function readEventHeads(transaction: Queryable): Promise<EventHeads> {
  const rows = await transaction.rows(sql`
    select organization_id::text as organization, position::text as position from core__event_heads`);
  return new Map(rows.map(({ organization, position }) => [organization ?? "", position ?? "0"]));
}

/** Call when nobody can write. By organization: ids of records. */
export async function writtenSince(
  transaction: Queryable,
  { key }: RecordType,
  heads: EventHeads,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await transaction.rows(sql`
    with heads as (
      select * from unnest(${[...heads.keys()]}::bigint[], ${[...heads.values()]}::bigint[]) as h(organization_id, position)
    ), written as (
      select organization_id, record_id from core__pending_events where record_type = ${key} and record_id is not null
      union
      select e.organization_id, e.record_id
      from core__event_heads now left join heads h using (organization_id)
      join core__events e on e.organization_id = now.organization_id and e.position > coalesce(h.position, 0)
      where now.position > coalesce(h.position, 0) and e.record_type = ${key} and e.record_id is not null
    )
    select organization_id::text as organization, array_to_json(array_agg(record_id))::text as ids from written group by organization_id`);
  return new Map(rows.map(({ organization, ids }) => [organization ?? "", JSON.parse(ids ?? "[]") as string[]]));
}
