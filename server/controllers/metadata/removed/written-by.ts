// Takes an entry of the bin and what it wrote elsewhere; gives the condition for rows `given` of that table which are its own, not those
// of another field that had the name and is still in the bin, or has come back from it.
import { type Sql, sql } from "../../../database/sql.ts";

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

/** Entries without ids are older than those: when they were removed says what was theirs. */
export const isWrittenBy = (id: string, names: readonly string[], { after, upTo, at }: Written): Sql => sql`
  exists (select from metadata__removed m where m.id = ${id}::bigint and given.id > m.${after}
    and coalesce(given.id <= m.${upTo}, given.${at} <= m.removed)
    and not exists (select from metadata__removed o
      where o.record_type = m.record_type and o.field = any(${names}::text[]) and o.state in ('removed', 'restored') and o.id <> m.id
        and coalesce(given.id > o.${after} and given.id <= o.${upTo}, o.id < m.id and given.${at} <= o.removed)))`;
