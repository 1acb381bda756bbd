// Takes many new records of a type; adds them as the ordinary save would, a whole chunk in a handful of statements where
// nothing asks to see the records one by one. Call within a transaction.
import type { RecordType } from "../../metadata/record-type.ts";
import { planWrite, type WritePlan } from "../../plan/plan-write.ts";
import type { Tree } from "../../request/tree.ts";
import { changesOf, writeRevisions } from "../history/revisions.ts";
import { hooksOf, lockForChange, requireWritable, type Work } from "../hooks.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { checkReferences } from "../save/check-references.ts";
import { type Draft, draftRow, initialRow } from "../save/draft.ts";
import { insertRows } from "../save/insert-rows.ts";
import { newForm, saveRecord } from "../save/save-record.ts";
import { newColumns } from "../save/write-drafts.ts";
import { logSteps } from "../workflow/run-effects.ts";
import { planStart } from "../workflow/start-workflow.ts";
import { sentStage, type WorkflowStep } from "../workflow/workflow-step.ts";
import { canGoTogether } from "./can-batch.ts";
import { attempt, Interrupted, reasonsOf } from "./with-savepoints.ts";

/** Number → values, as they were sent. */
export type NewRows = readonly (readonly [string, Tree])[];

export interface AddedRecords {
  /** Ids, in the order in which the records came. */
  readonly changed: readonly string[];
  /** By number. */
  readonly failed: Readonly<Record<string, readonly string[]>>;
  readonly byField: Readonly<Record<string, readonly string[]>>;
}

export interface Additions {
  readonly type: RecordType;
  readonly rows: NewRows;
  readonly overrideDuplicates?: boolean | undefined;
  /** All or nothing: where one cannot be added, none is written. */
  readonly atomic?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function addMany(work: Work, additions: Additions): Promise<AddedRecords> {
  const { type, rows, overrideDuplicates = false } = additions;
  requireWritable(work, type, "add");
  await lockForChange(work, type);
  const plans = rows.map(([, sent]) => {
    const { rest } = sentStage(sent);
    return { ...planWrite(work.snapshot, type, work.caller, rest), id: undefined };
  });
  const together = canGoTogether(work, type, { operation: "add", plans, overrideDuplicates });
  return together ? addTogether(work, additions, plans) : addOneByOne(work, additions);
}

async function addTogether(
  work: Work,
  { type, rows, atomic }: Additions,
  plans: readonly WritePlan[],
): Promise<AddedRecords> {
  const { transaction, snapshot, caller } = work;
  const { form, workflow } = await newForm(work, type);
  const initial = initialRow(type, caller, form.defaults);
  if (type.field.has("owned_by")) initial.owned_by = caller.userId;
  const hooks = hooksOf(work, type);
  const drafts = plans.map((plan) =>
    draftRow({ plan, caller, hooks, association: undefined, stored: undefined, initial, form }),
  );
  const steps = new Map<Draft, WorkflowStep>();
  for (const [index, draft] of drafts.entries()) {
    const step = await planStart(work, draft, workflow, rows[index]?.[1] ?? {});
    if (step) steps.set(draft, step);
  }
  await checkReferences(transaction, snapshot, caller, drafts);
  const failed: Record<string, readonly string[]> = {};
  const byField: Record<string, readonly string[]> = {};
  const sound: Draft[] = [];
  for (const [index, draft] of drafts.entries()) {
    const number = rows[index]?.[0] ?? "";
    const faults = Object.values(draft.errors).flat();
    if (faults.length === 0) sound.push(draft);
    else {
      failed[number] = faults;
      Object.assign(byField, numbered(type, number, draft.errors));
    }
  }
  if (atomic && sound.length < drafts.length) return { changed: [], failed, byField };
  const columns: ColumnValues[] = [];
  for (const draft of sound) columns.push(await newColumns(work, draft));
  const started = sound.map((draft) => steps.get(draft));
  const organizationId = type.scope === "shared" ? undefined : caller.organizationId;
  const changed = await insertRows(transaction, snapshot, type, organizationId, columns);
  const entries = changed.map((id, index) => {
    const changes = changesOf(type, undefined, columns[index] ?? {});
    return { type, id, number: "1", operation: "add", changes };
  });
  await writeRevisions(work, entries);
  await logSteps(
    work,
    type,
    changed.flatMap((id, index) => {
      const step = started[index];
      return step ? [{ id, step }] : [];
    }),
  );
  return { changed, failed, byField };
}

async function addOneByOne(work: Work, additions: Additions): Promise<AddedRecords> {
  const { type, rows, overrideDuplicates = false, signal } = additions;
  const changed: string[] = [];
  const failed: Record<string, readonly string[]> = {};
  const byField: Record<string, readonly string[]> = {};
  for (const [number, sent] of rows) {
    if (signal?.aborted) throw new Interrupted();
    const result = await attempt(work.transaction, () =>
      saveRecord(work, { type, id: undefined, sent, operation: "add", overrideDuplicates }),
    );
    if ("value" in result) changed.push(result.value);
    else {
      failed[number] = reasonsOf(result.failure);
      Object.assign(byField, numbered(type, number, result.failure.detail.byField ?? {}));
    }
  }
  return { changed, failed, byField };
}

/** `leads.last_name` of the record with the number 3: `leads.3.last_name`. */
const numbered = (type: RecordType, number: string, errors: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(
    Object.entries(errors).map(([key, sentences]) => [
      `${type.alias}.${number}${key.slice(type.alias.length)}`,
      sentences,
    ]),
  );
