// Takes rows that name records by a key; adds those that are not there and changes those that are, through the one way in
// which records are saved. Two who do it with the same key at once make one record. Call within a transaction.
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import type { Grant } from "../../access/grant.ts";
import type { Field } from "../../fields/field-type.ts";
import type { Tree } from "../../request/tree.ts";
import type { Work } from "../hooks.ts";
import { type ManySaves, saveRecords } from "../save/save-records.ts";
import { findByKey, type Key, keyText, lockKeys } from "./find-by-key.ts";
import { isGiven, keyOf } from "./key.ts";

/** What became of a row. */
export type RowResult = "added" | "changed" | "unchanged" | "skipped";

export interface SavedRow {
  readonly id: string;
  readonly result: RowResult;
}

export type UpsertedRow = SavedRow | { readonly failure: Failure } | undefined;

export interface Upsert extends Omit<ManySaves, "grant" | "operation" | "unchanged"> {
  /** Undefined: rows without a record are refused. */
  readonly add: Grant | undefined;
  /** Undefined: records that are there are skipped. */
  readonly edit: Grant | undefined;
  readonly key: readonly Field[];
}

interface Keyed {
  readonly index: number;
  readonly sent: Tree;
  /** Null: it has none, and is new. */
  readonly key: Key | null;
}

/** What became of each, in their order; undefined where it was left because another was refused. */
export async function upsertRecords(
  work: Work,
  upsert: Upsert,
  rows: readonly Tree[],
): Promise<readonly UpsertedRow[]> {
  const { add, edit, key: fields } = upsert;
  const grant = edit ?? add;
  if (!grant) throw new Error("an upsert adds or edits");
  const { type } = grant;
  const { caller, transaction } = work;
  const results = new Array<UpsertedRow>(rows.length).fill(undefined);
  let left: Keyed[] = [];
  for (const [index, sent] of rows.entries()) {
    const key = keyOf(type, caller, fields, sent);
    if (key instanceof Failure) results[index] = { failure: key };
    else left.push({ index, sent, key });
  }
  if (upsert.atomic && left.length < rows.length) return results;
  await lockKeys(
    transaction,
    caller,
    type,
    fields,
    left.flatMap(({ key }) => (key === null ? [] : [key])),
  );
  while (left.length > 0) {
    const { turn, later } = firstOfEachKey(left);
    await saveTurn(work, upsert, turn, results);
    if (upsert.atomic && results.some((one) => one && "failure" in one)) break;
    left = later;
  }
  return results;
}

/** A row with the key of one before it finds what that one made. */
function firstOfEachKey(rows: readonly Keyed[]): { readonly turn: Keyed[]; readonly later: Keyed[] } {
  const seen = new Set<string>();
  const turn: Keyed[] = [];
  const later: Keyed[] = [];
  for (const row of rows) {
    const text = row.key && keyText(row.key);
    if (text !== null && seen.has(text)) later.push(row);
    else turn.push(row);
    if (text !== null) seen.add(text);
  }
  return { turn, later };
}

async function saveTurn(work: Work, upsert: Upsert, rows: readonly Keyed[], results: UpsertedRow[]): Promise<void> {
  const { add, edit, key: fields, ...options } = upsert;
  const { type } = (edit ?? add) as Grant;
  const keys = rows.flatMap(({ key }) => (key === null ? [] : [key]));
  const found = await findByKey(work.transaction, work.caller, type, fields, keys);
  const added: Keyed[] = [];
  const edited: (Keyed & { readonly id: string })[] = [];
  const labels = fields.map(({ label }) => label);
  for (const row of rows) {
    const match = row.key === null ? undefined : found.get(keyText(row.key));
    const refuse = (reason: ReturnType<typeof say>): void => {
      results[row.index] = { failure: new Failure("conflict", { with: { reason } }) };
    };
    if (match && match.count > 1) refuse(say("key_ambiguous", { fields: labels, count: match.count }));
    else if (match && edit) edited.push({ ...row, id: match.id });
    else if (match) results[row.index] = { id: match.id, result: "skipped" };
    else if (add && (row.key === null || !isGiven(fields))) added.push(row);
    else refuse(say("key_not_found", { fields: labels }));
  }
  // Those that were refused above are reason enough to write none.
  if (options.atomic && results.some((one) => one && "failure" in one)) return;
  if (edit && edited.length > 0) {
    const unchanged = new Set<string>();
    const saved = await saveRecords(work, { ...options, grant: edit, operation: "edit", unchanged }, edited);
    for (const [position, one] of saved.entries()) {
      const row = edited[position];
      if (!row || !one) continue;
      const result = unchanged.has(row.id) ? "unchanged" : "changed";
      results[row.index] = "failure" in one ? one : { id: one.value, result };
    }
  }
  if (add && added.length > 0) {
    const news = added.map(({ sent }) => ({ id: undefined, sent }));
    const saved = await saveRecords(work, { ...options, grant: add, operation: "add" }, news);
    for (const [position, one] of saved.entries()) {
      const row = added[position];
      if (row && one) results[row.index] = "failure" in one ? one : { id: one.value, result: "added" };
    }
  }
}
