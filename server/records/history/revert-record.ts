// Restores a record to one of its revisions by saving its earlier values as a new edit, with the caller's rights and
// today's checks. Children stay as they are. Call within a transaction.

import { Failure } from "../../../contract/failures.ts";
import { type Message, say } from "../../../contract/messages.ts";
import type { Grant } from "../../access/grant.ts";
import { sql } from "../../database/sql.ts";
import { isFilledIn } from "../../fields/field-type.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { noSuchRecord, requireRecordId } from "../../plan/plan-read.ts";
import { planSave } from "../../plan/plan-write.ts";
import { lockRecords } from "../../query/lock-rows.ts";
import type { TreeValue } from "../../request/tree.ts";
import { workflowOfNode } from "../../workflow/find-workflow.ts";
import { stageFieldOf } from "../../workflow/stage-field.ts";
import { attempt } from "../bulk/with-savepoints.ts";
import { hooksOf, type Work } from "../hooks.ts";
import { rowOf } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { saveRecord } from "../save/save-records.ts";
import { parseEntry } from "./read-history.ts";
import { changesOfEntry } from "./revisions.ts";

export interface Reverted {
  readonly id: string;
  /** Why the record stays in its stage, where no transition leads back; everything else is as it was. */
  readonly stays: Message | undefined;
}

export async function revertRecord(work: Work, grant: Grant, sentId: string, revision: string): Promise<Reverted> {
  const { type } = grant;
  const id = requireRecordId(type, sentId);
  // Locked first: nothing can be changed between reading the history and going back in it.
  const columns = ["revision", ...(type.field.has("current_stage") ? ["current_stage", "workflow_version"] : [])];
  const { rows } = await work.transaction.run(lockRecords(type, work.caller, [id], columns));
  const row = rowOf(columns, rows[0] ?? []);
  const current = row.revision;
  if (current == null) throw noSuchRecord(type);
  if (!/^[1-9]\d{0,9}$/.test(revision) || BigInt(revision) > BigInt(current)) {
    const reason = say("bad_revision_number", { max: current });
    throw new Failure("malformed_parameter", { with: { name: "revision", reason } });
  }
  const entries = await work.transaction.run(sql`
    select number::text, operation, created::text, created_by::text, job_id::text, ${changesOfEntry(type, "r")} from core__revisions r
    where organization_id = ${work.caller.organizationId}::bigint and related_type = ${type.key} and related_id = ${id}
      and number > ${revision}::bigint
    order by r.number desc, r.id desc`);
  const { visible, editable } = grant.fields;
  const isKnown = (name: string): boolean => visible.has(name) || editable.has(name);
  const computed = hooksOf(work, type).computes ?? [];
  const sent: Record<string, TreeValue> = {};
  for (const entry of entries.rows) {
    for (const [name, { from }] of parseEntry(type, entry).changes) {
      const field = type.field.get(name);
      if (field && !isFilledIn(field) && isKnown(name) && !computed.includes(name)) sent[name] = from;
    }
  }
  const save = (values: Record<string, TreeValue>) =>
    saveRecord(work, { grant, operation: "revert" }, planSave(work.snapshot, grant, { id, sent: values }));
  const result = await attempt(work.transaction, () => save(sent));
  if ("value" in result) return { id: result.value, stays: undefined };
  const field = await stageFieldName(work, type, row);
  const [[key, sentences] = [], ...more] = Object.entries(result.failure.detail.byField ?? {});
  const isOfStage = field !== undefined && key === `${type.alias}.${field}` && more.length === 0;
  const others = Object.fromEntries(Object.entries(sent).filter(([name]) => name !== field));
  if (!isOfStage || Object.keys(others).length === 0) throw result.failure;
  return { id: await save(others), stays: sentences?.[0] };
}

async function stageFieldName(work: Work, type: RecordType, row: ColumnValues): Promise<string | undefined> {
  const { current_stage: node, workflow_version: version } = row;
  if (node == null) return undefined;
  const { transaction, snapshot, caller } = work;
  const workflow = await workflowOfNode(transaction, snapshot, caller.organizationId, node, version ?? "");
  return workflow && stageFieldOf(type, workflow)?.name;
}
