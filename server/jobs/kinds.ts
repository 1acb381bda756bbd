// What each kind of bulk job does to the records of a chunk, with the rights of whoever started it.
import { authorize } from "../access/matrix.ts";
import { addMany } from "../records/bulk/add-many.ts";
import { deleteMany, restoreMany } from "../records/bulk/delete-many.ts";
import { editMany, type RowEdit } from "../records/bulk/edit-many.ts";
import { moveStages } from "../records/workflow/move-stages.ts";
import type { Tree } from "../request/tree.ts";
import type { Chunk, JobKinds, RunChunk } from "./job.ts";
import { keptValues } from "./kept-values.ts";
import { Refused } from "./refused.ts";
import { undo } from "./undo.ts";

const edit: RunChunk = async ({ work, type, input, signal }, chunk) => {
  authorize(work.caller, type, "edit");
  const { overrideDuplicates } = input;
  return editMany(work, { type, rows: editsOf(chunk, input.values), operation: "edit", overrideDuplicates, signal });
};

/** The same values for all, or each with its own; equal ones are read once. */
function editsOf({ ids, rows }: Chunk, values = "{}"): readonly RowEdit[] {
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

const remove: RunChunk = async ({ work, type, input, signal }, { ids }) => {
  authorize(work.caller, type, "delete");
  return deleteMany(work, type, ids, { confirmed: true, override: input.override ?? false }, signal);
};

const restore: RunChunk = async ({ work, type, signal }, { ids }) => {
  authorize(work.caller, type, "delete");
  return restoreMany(work, type, ids, signal);
};

const add: RunChunk = async ({ work, type, input, signal }, { rows }) => {
  authorize(work.caller, type, "add");
  const sent = rows.map(([number, values]) => [number, keptValues(values)] as const);
  return addMany(work, {
    type,
    rows: sent,
    overrideDuplicates: input.overrideDuplicates,
    atomic: input.atomic,
    signal,
  });
};

const move: RunChunk = async ({ work, type, input }, { ids }) => {
  if (!work.caller.isAdministrator) throw new Refused(["Only administrators move records to another version"]);
  if (!input.move) throw new Error("a move names where records go");
  return moveStages(work, type, input.move, ids);
};

export const bulkKinds: JobKinds = { edit, delete: remove, restore, add, move, undo };
