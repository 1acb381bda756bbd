// What each kind of bulk job does to the records of a chunk, with what was granted to whoever started it.

import type { Failure } from "../../contract/failures.ts";
import { type Message, type MessagesByField, say } from "../../contract/messages.ts";
import { grantWrite } from "../access/grant.ts";
import { deleteMany, restoreMany } from "../records/bulk/delete-many.ts";
import { outcomeOf, reasonsOf } from "../records/bulk/with-savepoints.ts";
import { saveRecords } from "../records/save/save-records.ts";
import { keyFields } from "../records/upsert/key.ts";
import { type RowResult, type SavedRow, type UpsertedRow, upsertRecords } from "../records/upsert/upsert-records.ts";
import { moveStages } from "../records/workflow/move-stages.ts";
import type { Tree } from "../request/tree.ts";
import { importKind } from "./import.ts";
import type { Chunk, ChunkOutcome, JobKind, RunChunk } from "./job.ts";
import { keptValues } from "./kept-values.ts";
import { Refused } from "./refused.ts";
import { undo, undoes } from "./undo.ts";

export type BulkKind = "edit" | "delete" | "restore" | "add" | "upsert" | "import" | "move" | "undo";

const edit: RunChunk = async ({ work, grant, input, signal }, chunk) => {
  const { overrideDuplicates, atomic } = input;
  const rows = editsOf(chunk, input.values);
  const saved = await saveRecords(work, { grant, operation: "edit", overrideDuplicates, atomic, signal }, rows);
  return outcomeOf(
    rows.map(({ id }) => id),
    saved,
  );
};

/** The same values for all, or each with its own; equal ones are read once. */
function editsOf({ ids, rows }: Chunk, values = "{}"): readonly { readonly id: string; readonly sent: Tree }[] {
  const read = new Map<string, Tree>();
  const treeOf = (text: string): Tree => {
    const tree = read.get(text) ?? keptValues(text);
    read.set(text, tree);
    return tree;
  };
  return rows.length > 0
    ? rows.map(([id, own]) => ({ id, sent: treeOf(own) }))
    : ids.map((id) => ({ id, sent: treeOf(values) }));
}

const remove: RunChunk = async ({ work, grant, input, signal }, { ids }) =>
  deleteMany(work, grant, ids, { confirmed: true, override: input.override ?? false }, signal);

const restore: RunChunk = async ({ work, grant, signal }, { ids }) => restoreMany(work, grant, ids, signal);

const add: RunChunk = async ({ work, grant, input, signal }, { rows }) => {
  const { overrideDuplicates, atomic } = input;
  const sent = rows.map(([, values]) => ({ id: undefined, sent: keptValues(values) }));
  const saved = await saveRecords(work, { grant, operation: "add", overrideDuplicates, atomic, signal }, sent);
  const numbers = rows.map(([number]) => number);
  const byField: Record<string, readonly Message[]> = {};
  for (const [index, one] of saved.entries()) {
    if (one && "failure" in one) Object.assign(byField, numbered(grant.type.alias, numbers[index] ?? "", one.failure));
  }
  return { ...outcomeOf(numbers, saved), byField };
};

const upsert: RunChunk = async ({ work, grant, input, signal }, { rows }) => {
  const { overrideDuplicates, atomic, upsert: by } = input;
  if (!by) throw new Error("an upsert says what records are found by");
  const { caller, type, rules } = grant;
  const add = by.adds ? grantWrite(caller, type, "add", rules) : undefined;
  const key = keyFields(type, caller, by.key);
  const options = { add, edit: grant, key, overrideDuplicates, atomic, signal };
  const sent = rows.map(([, values]) => keptValues(values));
  const saved = await upsertRecords(work, options, sent);
  return upserted(
    type.alias,
    rows.map(([number]) => number),
    saved,
  );
};

/** What became of rows that were found by a key, by their numbers. */
export function upserted(alias: string, numbers: readonly string[], saved: readonly UpsertedRow[]): ChunkOutcome {
  const changed: string[] = [];
  const failed: Record<string, readonly Message[]> = {};
  const byField: Record<string, readonly Message[]> = {};
  const told: Record<string, SavedRow> = {};
  const counts: Partial<Record<RowResult, number>> = {};
  for (const [index, one] of saved.entries()) {
    const number = numbers[index] ?? "";
    if (!one) continue;
    if ("failure" in one) {
      failed[number] = reasonsOf(one.failure);
      Object.assign(byField, numbered(alias, number, one.failure));
      continue;
    }
    told[number] = one;
    counts[one.result] = (counts[one.result] ?? 0) + 1;
    if (one.result === "added" || one.result === "changed") changed.push(one.id);
  }
  return { changed: [...new Set(changed)], failed, byField, rows: told, counts };
}

/** `leads.last_name` of the record with the number 3: `leads.3.last_name`. */
const numbered = (alias: string, number: string, { detail }: Failure): MessagesByField =>
  Object.fromEntries(
    Object.entries(detail.byField ?? {}).map(([key, said]) => [`${alias}.${number}${key.slice(alias.length)}`, said]),
  );

const move: RunChunk = async ({ work, grant, input }, { ids }) => {
  if (!work.caller.isAdministrator) throw new Refused([say("only_administrators_move")]);
  if (!input.move) throw new Error("a move names where records go");
  return moveStages(work, grant.type, input.move, ids);
};

export const bulkKinds: Readonly<Record<BulkKind, JobKind>> = {
  edit: { writes: () => "edit", run: edit },
  delete: { writes: () => "delete", run: remove },
  restore: { writes: () => "restore", run: restore },
  add: { writes: () => "add", run: add },
  upsert: { writes: () => "edit", run: upsert },
  import: importKind,
  move: { writes: () => "edit", run: move },
  undo: { writes: undoes, run: undo },
};
