// The indexes that designers or the service itself asked for: which there are, which a field can have, and what a redesign makes of
// them. Building and removing is index-builder.ts.
import { setTimeout } from "node:timers/promises";
import { Failure } from "../../contract/failures.ts";
import { type Message, say } from "../../contract/messages.ts";
import type { Queryable } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { Field } from "../fields/field-type.ts";
import type { RecordType, RecordTypeKey } from "./record-type.ts";
import type { AddedIndexes } from "./snapshot.ts";
import { pendingWork } from "./table-work.ts";

export type IndexState = "building" | "ready" | "failed" | "removing";

export interface AddedIndex {
  readonly field: string;
  readonly state: IndexState;
  readonly failure: string | null;
  /** The service asked for it by itself. */
  readonly automatic: boolean;
  /** When it was asked for. */
  readonly since: string;
}

/** Of one record type: each costs every save. */
export const MOST_INDEXES = 5;

/** Of those, how many the service asks for by itself. */
export const MOST_AUTOMATIC = 3;

/** What was removed is not asked for again before. */
const REFUSED_DAYS = 30;

/** An entry of an index has at most 2,704 bytes; letters have up to four. */
const LONGEST_TEXT = 500;

/** Why a field can have no index of its own; undefined where it can. */
export function notIndexable(type: RecordType, field: Field): Message | undefined {
  const columns = type.columns.get(field.name) ?? [];
  const { maxLength } = (field.settings ?? {}) as { readonly maxLength?: unknown };
  const isLong = typeof maxLength === "number" && maxLength > LONGEST_TEXT;
  return !field.sortable || columns.length !== 1 || isLong ? say("index_impossible", { name: field.label }) : undefined;
}

export async function usableIndexes(db: Queryable): Promise<AddedIndexes> {
  const rows = await db.rows(sql`select record_type, field, state from metadata__indexes`);
  const indexes = new Map<string, Map<string, boolean>>();
  for (const { record_type: key, field, state } of rows) {
    const fields = indexes.get(key ?? "") ?? new Map<string, boolean>();
    indexes.set(key ?? "", fields.set(field ?? "", state === "ready"));
  }
  return indexes;
}

export const addedIndexes = (db: Queryable, key: RecordTypeKey): Promise<readonly AddedIndex[]> =>
  readIndexes(db, sql`record_type = ${key}`);

export const automaticIndexes = (db: Queryable) => readIndexes(db, sql`automatic`);

async function readIndexes(
  db: Queryable,
  which: Sql,
): Promise<readonly (AddedIndex & { readonly key: RecordTypeKey })[]> {
  const rows = await db.rows(sql`
    select record_type, field, state, failure, automatic::text as automatic, requested::text as since
    from metadata__indexes where ${which} order by requested, record_type, field`);
  return rows.map(({ record_type: key, field, state, failure, automatic, since }) => ({
    key: key ?? "",
    field: field ?? "",
    state: state as IndexState, // the table checks it
    failure: failure ?? null,
    automatic: automatic === "true",
    since: since ?? "",
  }));
}

/** Whether the service may ask for it by itself, now or later; a condition. */
export const isOpenToService = (key: RecordTypeKey, field: string): Sql => sql`
  (select count(*) < ${MOST_INDEXES}::integer and count(*) filter (where i.automatic) < ${MOST_AUTOMATIC}::integer
      and count(*) filter (where i.field = ${field}) = 0
    from metadata__indexes i where i.record_type = ${key})
  and not exists (
    select from metadata__index_wishes w where w.record_type = ${key} and w.field = ${field}
      and w.refused > (now() at time zone 'utc') - make_interval(days => ${REFUSED_DAYS}::integer))`;

/** Removed: the service does not ask for it again by itself for a while. */
export const refuseIndex = (transaction: Queryable, key: RecordTypeKey, field: string): Promise<unknown> =>
  transaction.run(sql`
    insert into metadata__index_wishes (record_type, field, refused) values (${key}, ${field}, now() at time zone 'utc')
    on conflict (record_type, field) do update set refused = excluded.refused`);

/** A table that is changed while one of its indexes is built would wait for it, and everybody for the table. */
export class IndexInProgress extends Failure<"conflict"> {
  constructor(
    readonly key: RecordTypeKey,
    readonly table: string,
  ) {
    super("conflict", { with: { reason: say("index_in_progress") } });
  }
}

export async function requireNothingBuilt(db: Queryable, key: RecordTypeKey, table: string): Promise<void> {
  if (await isWorkedOn(db, key, table)) throw new IndexInProgress(key, table);
}

async function isWorkedOn(db: Queryable, key: RecordTypeKey, table: string): Promise<boolean> {
  const work = await pendingWork(db);
  if (work.some((one) => one.table === table && one.kind !== "search" && !one.failure)) return true;
  return (await addedIndexes(db, key)).some(({ state }) => state === "building" || state === "removing");
}

/** Those of small tables take a moment. */
const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 50;

/** Does the work once nothing is built any more; refused where that takes longer than a moment. */
export async function onceBuilt<T>(db: Queryable, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof IndexInProgress)) throw error;
      do {
        if (performance.now() > until) throw error;
        await setTimeout(LOOK_EVERY_MS);
      } while (await isWorkedOn(db, error.key, error.table));
    }
  }
}

/** What a redesign makes of the indexes: those of columns that go are gone with them. */
export async function forgetIndexes(
  transaction: Queryable,
  key: RecordTypeKey,
  fields: readonly string[],
  indexes: AddedIndexes,
): Promise<AddedIndexes> {
  if (fields.length === 0) return indexes;
  await transaction.run(
    sql`delete from metadata__indexes where record_type = ${key} and field = any(${fields}::text[])`,
  );
  const left = [...(indexes.get(key) ?? [])].filter(([name]) => !fields.includes(name));
  return new Map([...indexes, [key, new Map(left)]]);
}
