// Takes records that are on an older version of their workflow; moves them to stages of another version, with entries in
// their log and history. Runs no effects and sends no messages. Call within a transaction.
import { type Message, say } from "../../../contract/messages.ts";
import { instant } from "../../lib/instant.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import { lockRecords } from "../../query/lock-rows.ts";
import { workflowOfNode } from "../../workflow/find-workflow.ts";
import { stageFieldOf } from "../../workflow/stage-field.ts";
import type { ManyOutcome } from "../bulk/with-savepoints.ts";
import { settle, type Work } from "../hooks.ts";
import { putField, rowOf } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import type { Draft } from "../save/draft.ts";
import { insertRows } from "../save/insert-rows.ts";
import { accessColumns } from "../save/recipes.ts";
import { writeDrafts } from "../save/write-drafts.ts";

export interface StageMove {
  /** The version that records go by afterwards. */
  readonly version: string;
  /** Nodes: where a record is → where it goes. */
  readonly stages: Readonly<Record<string, string>>;
}

export async function moveStages(
  work: Work,
  type: RecordType,
  { version, stages }: StageMove,
  ids: readonly string[],
): Promise<ManyOutcome> {
  // Any choice may be the stage field of the version that records come to.
  const choices = type.fields.filter((field) => typeOf(field).picks === "one").map((field) => field.name);
  const columns = [...new Set(["id", "revision", "deleted", "stage_since", ...choices, ...accessColumns(type)])];
  const at = instant();
  const { rows } = await work.transaction.run(lockRecords(type, work.caller, ids, columns));
  const drafts: Draft[] = [];
  const failed: Record<string, readonly Message[]> = {};
  const found = new Set<string>();
  for (const texts of rows) {
    const before = rowOf(columns, texts);
    const id = before.id ?? "";
    found.add(id);
    const from = before.current_stage ?? "";
    const to = stages[from];
    // One that somebody brought to a newer version meanwhile stays there.
    const isOlder = BigInt(before.workflow_version ?? "0") < BigInt(version);
    if (before.deleted === "1") failed[id] = [say("deleted_now")];
    else if (to === undefined && isOlder) failed[id] = [say("stage_not_named")];
    else if (to !== undefined && isOlder) {
      const since = to === from ? (before.stage_since ?? at) : at;
      const after = { ...before, current_stage: to, workflow_version: version, stage_since: since };
      const workflow = await workflowOfNode(work.transaction, work.snapshot, work.caller.organizationId, to, version);
      const field = workflow && stageFieldOf(type, workflow);
      if (field) putField(type, field, [workflow.byNode.get(to)?.value ?? null], after);
      drafts.push(placedDraft(type, before, after, texts[columns.length + 2] ?? null));
    }
  }
  await logPlaced(work, type, drafts, { label: `Version ${version}`, version, at });
  await writeDrafts(
    work,
    type,
    drafts.map((main) => ({ main, children: [] })),
    "edit",
  );
  await settle(work);
  for (const id of ids) if (!found.has(id)) failed[id] = [say("record_gone")];
  return { changed: ids.filter((id) => failed[id] === undefined), failed };
}

export interface Placing {
  readonly label: string;
  readonly version: string;
  readonly at: string;
}

/** Entries of the log for records that are put somewhere. Before the records themselves: what they lend depends on what was agreed since the last entry. */
export async function logPlaced(
  { transaction, snapshot, caller }: Work,
  type: RecordType,
  drafts: readonly Draft[],
  { label, version, at }: Placing,
): Promise<void> {
  const rows = drafts.map(({ id = "", before = {}, after }) => ({
    related_type: type.key,
    related_id: id,
    step: "start",
    label,
    from_stage: before.current_stage ?? null,
    to_stage: after.current_stage ?? null,
    version,
    created: at,
    modified: at,
    created_by: caller.userId,
    modified_by: caller.userId,
  }));
  await insertRows(transaction, snapshot, requireType(snapshot, "core/stage_log"), caller.organizationId, rows);
}

/** A record that is put somewhere, as writeDrafts takes it. */
export const placedDraft = (
  type: RecordType,
  before: ColumnValues,
  after: ColumnValues,
  aclId: string | null,
): Draft => ({
  plan: { path: type.alias, values: new Map(), children: [] },
  type,
  association: undefined,
  id: before.id ?? "",
  before,
  aclId,
  after,
  operation: "edit",
  errors: {},
  setByWorkflow: new Set(),
});
