// Takes ids for a new record and its new children from their sequences, along with another statement. With its id known, a row is
// sent without waiting for it. An id that is not used is a gap, as sequences have.
import type { Queryable } from "../../database/queryable.ts";
import { expression, ident, join, quote, type Sql, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { WritePlan } from "../../plan/plan-write.ts";

/** More children than these are worth waiting for. */
const MOST = 100;

export interface ReservedIds {
  /** The next one of a type; undefined where there is none left. */
  take(type: RecordType): string | undefined;
}

type Cells = readonly (string | null)[];

interface IdReservation {
  /** To follow other columns. */
  readonly columns: Sql;
  /** Those columns as they came. */
  read(texts: Cells): ReservedIds;
}

export const nothingReserved: ReservedIds = { take: () => undefined };

/** The count stands in the text: PostgreSQL takes an unknown one for a thousand, and would plan the statement anew every time. */
const nextIds = (next: Sql, count: number): Sql =>
  count === 1 ? next : sql`(select string_agg(${next}, ' ') from generate_series(1, ${expression(String(count))}))`;

/** Takes ids along with a statement of `count` columns. */
export async function readReserving(
  db: Pick<Queryable, "isDistributed" | "prepared">,
  write: WritePlan,
  [statement, count]: readonly [Sql, number],
  read: (statement: Sql) => Promise<readonly Cells[]>,
): Promise<{ readonly row: Cells; readonly reserved: ReservedIds }> {
  const { columns, read: reserved } = reserveIds(write);
  // A worker that reads a table takes ids from a sequence of its own, with other numbers: not in order with those of the coordinator.
  if (await db.isDistributed()) {
    const [[row = []], [ids = []]] = await Promise.all([
      read(statement),
      db.prepared(sql`select null::text${columns}`),
    ]);
    return { row, reserved: reserved(ids.slice(1)) };
  }
  const [row = []] = await read(sql`${statement}${columns}`);
  return { row: row.slice(0, count), reserved: reserved(row.slice(count)) };
}

/** What is known by its uuid needs none. */
function reserveIds(write: WritePlan): IdReservation {
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
