// The indexes that designers asked for: which there are, which a field can have, and what a redesign makes of them. Building
// and removing is index-builder.ts.
import { Failure } from "../../contract/failures.ts";
import { type Message, say } from "../../contract/messages.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Field } from "../fields/field-type.ts";
import type { RecordType, RecordTypeKey } from "./record-type.ts";
import type { AddedIndexes } from "./snapshot.ts";
import { pendingWork } from "./table-work.ts";

export type IndexState = "building" | "ready" | "failed" | "removing";

export interface AddedIndex {
  readonly field: string;
  readonly state: IndexState;
  readonly failure: string | null;
}

/** Of one record type: each costs every save. */
export const MOST_INDEXES = 5;

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

export async function addedIndexes(db: Queryable, key: RecordTypeKey): Promise<readonly AddedIndex[]> {
  const rows = await db.rows(
    sql`select field, state, failure from metadata__indexes where record_type = ${key} order by requested, field`,
  );
  return rows.map(({ field, state, failure }) => ({
    field: field ?? "",
    state: state as IndexState, // the table checks it
    failure: failure ?? null,
  }));
}

/** A table that is changed while one of its indexes is built would wait for it, and everybody for the table. */
export async function requireNothingBuilt(db: Queryable, key: RecordTypeKey, table: string): Promise<void> {
  const isWorkedOn = (await pendingWork(db)).some(
    (one) => one.table === table && one.kind !== "search" && !one.failure,
  );
  const busy =
    isWorkedOn || (await addedIndexes(db, key)).some(({ state }) => state === "building" || state === "removing");
  if (busy) throw new Failure("conflict", { with: { reason: say("index_in_progress") } });
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
