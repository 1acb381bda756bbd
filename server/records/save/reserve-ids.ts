// Takes the plan of a new record; gives columns of a statement that take ids for it and its new children from their sequences, and
// reads what came of it. With its id known, a row is sent without waiting for it. An id that is not used is a gap, as sequences have.
import { expression, ident, join, quote, type Sql, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { WritePlan } from "../../plan/plan-write.ts";

/** More children than these are worth waiting for. */
const MOST = 100;

export interface ReservedIds {
  /** The next one of a type; undefined where there is none left. */
  take(type: RecordType): string | undefined;
}

export interface IdReservation {
  /** To follow other columns. */
  readonly columns: Sql;
  /** Those columns as they came. */
  read(texts: readonly (string | null)[]): ReservedIds;
}

export const nothingReserved: ReservedIds = { take: () => undefined };

/** The count stands in the text: PostgreSQL takes an unknown one for a thousand, and would plan the statement anew every time. */
const nextIds = (next: Sql, count: number): Sql =>
  count === 1 ? next : sql`(select string_agg(${next}, ' ') from generate_series(1, ${expression(String(count))}))`;

/** What is known by its uuid needs none. */
export function reserveIds(write: WritePlan): IdReservation {
  const counts = new Map<RecordType, number>([[write.grant.type, 1]]);
  for (const { rows } of write.children) {
    for (const { id, grant } of rows) if (id === undefined) counts.set(grant.type, (counts.get(grant.type) ?? 0) + 1);
  }
  const wanted = [...counts].filter(([type, count]) => type.idKind !== "uuid" && count <= MOST);
  const taken = wanted.map(
    ([type, count]) => sql`, ${nextIds(sql`nextval(pg_get_serial_sequence(${quote(type.table)}, 'id'))::text`, count)}
      as ${ident(type.table)}`,
  );
  return {
    columns: join(taken, ""),
    read: (texts) => {
      const ids = new Map(wanted.map(([type], index) => [type, texts[index]?.split(" ") ?? []]));
      return { take: (type) => ids.get(type)?.shift() };
    },
  };
}
