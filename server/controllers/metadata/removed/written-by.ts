// Takes an entry of the bin and what it wrote elsewhere; gives the condition for rows `given` of that table which are its own, not those
// of another field that had the name and is still in the bin, or has come back from it.
import type { Queryable } from "../../../database/queryable.ts";
import { join, type Sql, sql } from "../../../database/sql.ts";

export interface Written {
  readonly after: Sql;
  readonly upTo: Sql;
  /** When a row was written. */
  readonly at: Sql;
}

export const written = {
  revisions: { after: sql`revisions_after`, upTo: sql`revisions_up_to`, at: sql`created` },
  files: { after: sql`files_after`, upTo: sql`files_up_to`, at: sql`created` },
  values: { after: sql`values_after`, upTo: sql`values_up_to`, at: sql`discarded` },
} as const satisfies Record<string, Written>;

/**
 * Entries without ids are older than those: when they were removed says what was theirs. As values: on a distributed database,
 * the rows are on other machines than the bin.
 */
export async function writtenBy(
  db: Queryable,
  id: string,
  names: readonly string[],
  { after, upTo, at }: Written,
): Promise<Sql> {
  const entries = await db.rows(sql`
    select o.${after}::text as after, o.${upTo}::text as up_to, o.removed::text as removed,
      (o.id = m.id)::integer::text as is_own, (o.id < m.id)::integer::text as is_older
    from metadata__removed m join metadata__removed o on o.record_type = m.record_type
      and (o.id = m.id or (o.field = any(${names}::text[]) and o.state in ('removed', 'restored')))
    where m.id = ${id}::bigint order by o.id`);
  const conditions = entries.map((entry) => {
    const isPast = sql`given.id > ${entry.after ?? null}::bigint`;
    const isUpTo = sql`given.id <= ${entry.up_to ?? null}::bigint`;
    const isBefore = sql`given.${at} <= ${entry.removed ?? null}::timestamp`;
    if (entry.is_own === "1") return sql`${isPast} and coalesce(${isUpTo}, ${isBefore})`;
    return sql`not coalesce(${isPast} and ${isUpTo}, ${entry.is_older === "1" ? isBefore : sql`false`}, false)`;
  });
  return entries.some(({ is_own }) => is_own === "1") ? sql`(${join(conditions, " and ")})` : sql`false`;
}
