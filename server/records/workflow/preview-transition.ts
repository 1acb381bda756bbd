// Takes a record and a transition of its stage; returns the records that the transition would create, as far as the user
// can decide about them: their names, the choices, and existing records that look the same.

import { evaluateExpression } from "../../../contract/expressions.ts";
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { mayOperate } from "../../access/matrix.ts";
import { instant } from "../../lib/instant.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import { noSuchRecord, requireRecordId } from "../../plan/plan-read.ts";
import { lockRecords } from "../../query/lock-rows.ts";
import { workflowInForce, workflowOfNode } from "../../workflow/find-workflow.ts";
import { beginning } from "../../workflow/stage-field.ts";
import type { WorkflowState } from "../../workflow/state.ts";
import { hooksOf, type Work } from "../hooks.ts";
import type { CreateEffect } from "../read/record-choices.ts";
import { columnNames, putField, rowOf, wireField } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { type Duplicate, findDuplicates } from "../save/check-duplicates.ts";
import type { Draft } from "../save/draft.ts";
import { placedDraft } from "./move-stages.ts";
import { requireTaker } from "./require-taker.ts";
import { scopeOf } from "./run-effects.ts";

export interface OfferedRecord {
  /** What `stage_log[records]` calls it. */
  readonly as: string;
  readonly controller: string;
  readonly label: string;
  readonly name: string | null;
  readonly offers: readonly string[];
  readonly matches: readonly Duplicate[];
}

export async function previewTransition(
  work: Work,
  type: RecordType,
  sentId: string,
  name: string,
): Promise<readonly OfferedRecord[]> {
  const id = requireRecordId(type, sentId);
  const columns = columnNames(type);
  const { rows } = await work.transaction.run(lockRecords(type, work.caller, [id], columns));
  const texts = rows[0];
  if (!texts) throw noSuchRecord(type);
  const row = rowOf(columns, texts);
  const state = await stateOf(work, type, row, texts[columns.length + 4] ?? null);
  const transition = state?.stage.out.find((one) => one.name === name);
  if (!state || !transition) {
    const options = state?.stage.out.map((one) => one.name) ?? [];
    throw new Failure("malformed_parameter", { with: { name: "name", reason: say("must_be_one_of", { options }) } });
  }
  await requireTaker(work, type, row, { ...state, transition, mayEdit: texts[columns.length] === "1" });
  const seen = seenOf(type, work.caller, row);
  const draft = placedDraft(type, seen, seen, null);
  const created = transition.effects.filter((one): one is CreateEffect => one.kind === "create" && one.offers.size > 0);
  const offered: OfferedRecord[] = [];
  for (const effect of created) offered.push(await offer(work, draft, effect));
  return offered;
}

/** A name is told as far as it is made of what the caller sees. */
function seenOf(type: RecordType, caller: Caller, row: ColumnValues): ColumnValues {
  const { visible } = fieldMask(type, caller);
  const hidden = type.fields.filter(({ name }) => name !== "id" && !visible.has(name));
  const columns = hidden.flatMap(({ name }) => type.columns.get(name) ?? []);
  return { ...row, ...Object.fromEntries(columns.map(({ name }) => [name, null])) };
}

async function stateOf(
  { transaction, snapshot, caller }: Work,
  type: RecordType,
  row: ColumnValues,
  pointer: string | null,
): Promise<WorkflowState | undefined> {
  const node = row.current_stage;
  if (node == null) {
    const workflow = await workflowInForce(transaction, snapshot, caller.organizationId, pointer);
    return workflow && beginning(type, workflow, row);
  }
  const version = row.workflow_version ?? "";
  const workflow = await workflowOfNode(transaction, snapshot, caller.organizationId, node, version);
  const stage = workflow?.byNode.get(node);
  return workflow && stage && { workflow, stage, agreed: [] };
}

async function offer(
  work: Work,
  draft: Draft,
  { as = "", type: key, values, offers }: CreateEffect,
): Promise<OfferedRecord> {
  const type = requireType(work.snapshot, key);
  const scope = scopeOf(work, draft, instant(), new Map());
  const row: ColumnValues = {};
  for (const [name, expression] of values) {
    const field = type.field.get(name);
    const parsed = field && typeOf(field).parse(evaluateExpression(expression, scope), field, work.caller);
    if (field && parsed?.ok) putField(type, field, parsed.row, row);
  }
  Object.assign(row, hooksOf(work, type).compute?.(row));
  const display = type.field.get(type.displayField);
  const shown = display ? wireField(type, display, row) : null;
  const mayUse = offers.has("existing") && mayOperate(work.caller, type, "view");
  const made: Draft = { ...placedDraft(type, row, row, null), id: undefined, before: undefined, operation: "add" };
  const matches = mayUse ? await findDuplicates(work, made, [made], [...type.duplicates, [type.displayField]]) : [];
  return {
    as,
    controller: key,
    label: type.label,
    name: typeof shown === "string" ? shown : null,
    offers: [...offers].filter((one) => one !== "existing" || mayUse),
    matches,
  };
}
