// Takes drafts of stored records without faults; writes all of them at once: rows, access, the log of changes, history.
// Only for what needs no look at a single record. Call within the transaction that locked them.
import { type Change, recordChanges } from "../../database/changes.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { type RowUpdate, updateRows } from "../../query/update-row.ts";
import { changesOf, type RevisionEntry, writeRevisions } from "../history/revisions.ts";
import type { Work } from "../hooks.ts";
import { changedFields, fieldRow, putField } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import type { Draft } from "../save/draft.ts";
import { moveFollowers } from "../save/followers.ts";
import { handOverChildren } from "../save/hand-over.ts";
import { aclsOf } from "../save/record-acl.ts";
import { changesHands, isHandedOver, nextRevision, organizationOf } from "../save/write-drafts.ts";

export async function writeEdits(
  work: Work,
  type: RecordType,
  drafts: readonly Draft[],
  operation: string,
): Promise<void> {
  const newAcls = await movedAcls(work, type, drafts);
  const groups = new Map<string, RowUpdate[]>();
  const changes: Change[] = [];
  const entries: RevisionEntry[] = [];
  for (const draft of drafts) {
    const { before = {}, after, id = "" } = draft;
    const changed = changedFields(type, before, after);
    if (changed.length === 0) continue;
    const columns: ColumnValues = {};
    for (const field of changed) putField(type, field, fieldRow(type, field, after), columns);
    const aclId = newAcls.get(id);
    const shape = `${Object.keys(columns).join()} ${aclId === undefined ? "" : "acl"}`;
    const group = groups.get(shape);
    if (group) group.push({ id, columns, aclId });
    else groups.set(shape, [{ id, columns, aclId }]);
    const old = draft.aclId ?? "0";
    changes.push({ aclId: old, delta: aclId === undefined || aclId === old ? 0 : -1 });
    if (aclId !== undefined && aclId !== old) changes.push({ aclId, delta: 1 });
    entries.push({
      type,
      id,
      number: nextRevision(before),
      operation,
      changes: changesOf(type, before, after, changed),
    });
  }
  for (const rows of groups.values()) await work.transaction.run(updateRows(type, work.caller, rows));
  await recordChanges(work.transaction, organizationOf(work, type), type.key, changes);
  for (const { ids, after } of handedOver(drafts, newAcls)) await handOverChildren(work, type, ids, after);
  await moveFollowers(work.transaction, work.snapshot, work.caller.organizationId, type, [...newAcls.keys()]);
  await writeRevisions(work, entries);
}

async function movedAcls(work: Work, type: RecordType, drafts: readonly Draft[]): Promise<ReadonlyMap<string, string>> {
  const moved = drafts
    .filter(({ before = {}, after }) => changesHands(type, before, after))
    .map(({ id = "", after }) => ({ id, row: after }));
  if (moved.length === 0) return new Map();
  const aclIds = await aclsOf(work, type, moved);
  return new Map(moved.map(({ id }, index) => [id, aclIds[index] ?? ""]));
}

/** Records that now have the same owner and group go together. */
function handedOver(drafts: readonly Draft[], newAcls: ReadonlyMap<string, string>) {
  const groups = new Map<string, { readonly ids: string[]; readonly after: ColumnValues }>();
  for (const { id = "", before = {}, after } of drafts) {
    if (!newAcls.has(id) || !isHandedOver(before, after)) continue;
    const key = `${after.owned_by} ${after.primary_acl_group}`;
    const group = groups.get(key);
    if (group) group.ids.push(id);
    else groups.set(key, { ids: [id], after });
  }
  return groups.values();
}
