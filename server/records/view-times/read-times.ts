// Gives how long the lists of an organization took in the last week, by record type and view, over all processes.
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { percentile } from "./buckets.ts";

export interface ViewTime {
  readonly recordType: string;
  /** Empty: lists that name their own fields or groups. */
  readonly view: string;
  readonly lists: number;
  readonly p50: number;
  readonly p95: number;
  /** The field that an index was wanted for most often. */
  readonly wanted: string | undefined;
}

export const DAYS = 7;
/** Of the views that are used most. */
const MOST_VIEWS = 1_000;

/** The slowest first. */
export async function readViewTimes(db: Queryable, organizationId: string): Promise<readonly ViewTime[]> {
  const rows = await db.rows<{ record_type: string; view: string; entries: string }>(sql`
    select record_type, view, string_agg(concat(bucket, ':', lists, ':', wanted), ' ') as entries from (
      select record_type, view, bucket, wanted, sum(lists) as lists from core__view_times
      where organization_id = ${organizationId}::bigint and day > (now() at time zone 'utc')::date - ${DAYS}::integer
      group by record_type, view, bucket, wanted) as sums
    group by record_type, view order by sum(lists) desc limit ${MOST_VIEWS}::integer`);
  return rows.map(timeOf).sort((one, other) => other.p95 - one.p95 || other.lists - one.lists);
}

function timeOf({ record_type, view, entries }: { record_type: string; view: string; entries: string }): ViewTime {
  const counts = new Map<number, number>();
  const wishes = new Map<string, number>();
  for (const entry of entries.split(" ")) {
    const [bucket, lists, wanted = ""] = entry.split(":");
    counts.set(Number(bucket), (counts.get(Number(bucket)) ?? 0) + Number(lists));
    if (wanted !== "") wishes.set(wanted, (wishes.get(wanted) ?? 0) + Number(lists));
  }
  const [most] = [...wishes].sort(([, one], [, other]) => other - one);
  return {
    recordType: record_type,
    view,
    lists: [...counts.values()].reduce((sum, count) => sum + count, 0),
    p50: percentile(counts, 0.5) ?? 0,
    p95: percentile(counts, 0.95) ?? 0,
    wanted: most?.[0],
  };
}
