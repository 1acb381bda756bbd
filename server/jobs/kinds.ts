// What each kind of bulk job does to the records of a chunk, with the rights of whoever started it.
import { authorize } from "../access/matrix.ts";
import { deleteRecord, restoreRecord } from "../records/delete-record.ts";
import { editMany } from "../records/edit-many.ts";
import { lockForChange, requireWritable } from "../records/hooks.ts";
import { attempt, Interrupted, oneByOne, reasonsOf } from "../records/one-by-one.ts";
import { saveRecord } from "../records/save-record.ts";
import type { JobKinds, RunChunk } from "./job.ts";
import { keptValues } from "./kept-values.ts";
import { undo } from "./undo.ts";

const edit: RunChunk = async ({ work, type, input, signal }, { ids }) => {
  authorize(work.caller, type, "edit");
  const sent = keptValues(input.values ?? "{}");
  return editMany(work, { type, rows: ids.map((id) => ({ id, sent })), operation: "edit", signal });
};

const remove: RunChunk = async ({ work, type, input, signal }, { ids }) => {
  authorize(work.caller, type, "delete");
  requireWritable(work, type, "delete");
  await lockForChange(work, type);
  const consent = { confirmed: true, override: input.override ?? false };
  return oneByOne(work.transaction, ids, (id) => deleteRecord(work, type, id, consent), signal);
};

const restore: RunChunk = async ({ work, type, signal }, { ids }) => {
  authorize(work.caller, type, "delete");
  requireWritable(work, type, "restore");
  await lockForChange(work, type);
  return oneByOne(work.transaction, ids, (id) => restoreRecord(work, type, id), signal);
};

const add: RunChunk = async ({ work, type, signal }, { rows }) => {
  authorize(work.caller, type, "add");
  requireWritable(work, type, "add");
  await lockForChange(work, type);
  const changed: string[] = [];
  const failed: Record<string, readonly string[]> = {};
  const byField: Record<string, readonly string[]> = {};
  for (const [number, values] of rows) {
    if (signal?.aborted) throw new Interrupted();
    const result = await attempt(work.transaction, () =>
      saveRecord(work, { type, id: undefined, sent: keptValues(values), operation: "add" }),
    );
    if ("value" in result) changed.push(result.value);
    else {
      failed[number] = reasonsOf(result.failure);
      for (const [key, sentences] of Object.entries(result.failure.detail.byField ?? {})) {
        byField[`${type.alias}.${number}${key.slice(type.alias.length)}`] = sentences;
      }
    }
  }
  return { changed, failed, byField };
};

export const bulkKinds: JobKinds = { edit, delete: remove, restore, add, undo };
