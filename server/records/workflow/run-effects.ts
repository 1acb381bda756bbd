// Takes a planned step; runs its effects in the save's own transaction: sets fields, creates records, writes the log
// entry. Notifications are sent by notify-actors.ts.

import { evaluate } from "../../../contract/conditions.ts";
import {
  type Expression,
  type ExpressionScope,
  evaluateExpression,
  newsOfExpression,
} from "../../../contract/expressions.ts";
import { Failure } from "../../../contract/failures.ts";
import { about, type Message, say } from "../../../contract/messages.ts";
import { localDay } from "../../lib/instant.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import { effectRefusal, takesWorkflow } from "../../workflow/effect-fields.ts";
import type { Effect, Values } from "../../workflow/workflow.ts";
import { aclWork, hooksOf, type Work } from "../hooks.ts";
import { chosenRecord, type SaveMerged } from "../read/record-choices.ts";
import { isUnset, putField, wireField } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import type { Draft } from "../save/draft.ts";
import { appendRows } from "../save/insert-rows.ts";
import { moveAcls } from "../save/record-acl.ts";
import { madeText } from "./stage-log.ts";
import type { WorkflowStep } from "./workflow-step.ts";

/** Saves a record that the workflow makes; gives its id. */
export type MakeRecord = (type: RecordType, values: Readonly<Record<string, unknown>>) => Promise<string>;

/** How records come about: made, or, where somebody chose one that is there, filled in. */
export interface Makers {
  readonly make: MakeRecord;
  readonly fill: SaveMerged;
}

/** What happens along, in order: what the transition does, then what every arrival at its stage does. */
export function effectsOf({ before, begins, isNew, taken }: WorkflowStep): readonly Effect[] {
  // A record that is only being made can have fields set, no more, whatever stage it starts in.
  if (!taken) return begins && isNew ? before.stage.enter.filter((effect) => effect.kind === "set") : [];
  if (!taken.moved) return [];
  return [...taken.transition.effects, ...taken.state.stage.enter];
}

export function scopeOf(work: Work, draft: Draft, at: string, made: ReadonlyMap<string, string>): ExpressionScope {
  const { type, after, id } = draft;
  return {
    read: (name) => {
      const field = type.field.get(name);
      if (name === "id") return id ?? null;
      return field ? wireField(type, field, after) : null;
    },
    made: (name) => made.get(name) ?? null,
    now: at,
    // Seldom asked for, and dear.
    get today() {
      return localDay(new Date(`${at.replace(" ", "T")}Z`), work.caller.timeZone);
    },
    me: work.caller.userId,
    group: work.caller.groupId ?? null,
    currency: work.caller.currencyId ?? null,
  };
}

/** Fields that are set once the records are made that a step makes. */
export const fieldsSetLater = (step: WorkflowStep): ReadonlySet<string> =>
  new Set(
    effectsOf(step).flatMap((effect) =>
      effect.kind === "set" ? effect.values.flatMap(([name, expression]) => (needsNew(expression) ? [name] : [])) : [],
    ),
  );

const needsNew = (expression: Expression): boolean => newsOfExpression(expression).size > 0;
const applies = ({ when }: Effect, scope: ExpressionScope): boolean => when === undefined || evaluate(when, scope.read);

/** A definition that is older than the rule about what effects may write. */
const changeWorkflow = (reason: Message): Message => say("workflow_refused", { reason });

/** Before anything is checked: every value that can be worked out already. Faults join the draft's. */
export function setFields(work: Work, draft: Draft, step: WorkflowStep): void {
  const scope = scopeOf(work, draft, step.at, new Map());
  const startsLater = !step.taken && step.before.stage !== step.before.workflow.start;
  // Of a record that is told to have come far already, what it is told to be like stands.
  const isTold = (name: string): boolean => startsLater && !isUnset(draft.plan.values.get(name) ?? [null]);
  for (const effect of effectsOf(step)) {
    if (effect.kind !== "set" || !applies(effect, scope)) continue;
    put(
      work,
      draft,
      effect.values.filter(([name, expression]) => !needsNew(expression) && !isTold(name)),
      scope,
    );
  }
}

function put(work: Work, draft: Draft, values: Values, scope: ExpressionScope): void {
  const { type, plan, after, errors } = draft;
  if (values.length === 0) return;
  for (const [name, expression] of values) {
    const field = type.field.get(name);
    // A field that was taken out of the record type since the workflow was saved.
    if (!field) continue;
    const refusal = effectRefusal(type, name, "set");
    if (refusal !== undefined) {
      errors[`${plan.path}.${name}`] = [changeWorkflow(refusal)];
      continue;
    }
    const parsed = typeOf(field).parse(evaluateExpression(expression, scope), field, work.caller);
    if (parsed.ok) {
      putField(type, field, parsed.row, after);
      draft.setByWorkflow.add(name);
    } else
      errors[`${plan.path}.${name}`] ??= parsed.errors.map((one) =>
        say("set_by_workflow", { reason: about(field.label, one) }),
      );
  }
  Object.assign(after, hooksOf(work, type).compute?.(after));
}

/** Once all is well: makes the records, and sets what depends on them. */
export async function makeRecords(work: Work, draft: Draft, step: WorkflowStep, makers: Makers): Promise<void> {
  if (!step.taken) return;
  const made = new Map<string, string>();
  for (const effect of effectsOf(step)) {
    const scope = scopeOf(work, draft, step.at, made);
    if (!applies(effect, scope)) continue;
    if (effect.kind === "set") {
      put(
        work,
        draft,
        effect.values.filter(([, expression]) => needsNew(expression)),
        scope,
      );
    } else if (effect.kind === "create") {
      const type = requireType(work.snapshot, effect.type);
      const refusals: Message[] = effect.values.flatMap(([name]) => effectRefusal(type, name, "create") ?? []);
      if (!takesWorkflow(type)) refusals.push(say("workflow_creates", { type: type.key }));
      if (refusals.length > 0) throw new Failure("invalid", { errors: refusals.map(changeWorkflow) });
      const values = Object.fromEntries(
        effect.values.map(([name, expression]) => [name, evaluateExpression(expression, scope)]),
      );
      const choice = step.records.get(effect.as ?? "") ?? { use: "new", merge: false };
      if (choice.use === "none") continue;
      let id = "";
      if (choice.use === "new") {
        id = await makeOne(step, type, { owned_by: draft.after.owned_by ?? null, ...values }, makers.make);
        step.made.push({ key: type.key, id });
      } else id = await chosenRecord(work, type, choice, values, makers.fill);
      if (effect.as !== undefined) made.set(effect.as, id);
    }
  }
  const faults = Object.values(draft.errors).flat();
  if (faults.length > 0) throw new Failure("invalid", { errors: faults, byField: draft.errors });
}

async function makeOne(
  { taken }: WorkflowStep,
  type: RecordType,
  values: Readonly<Record<string, unknown>>,
  make: MakeRecord,
): Promise<string> {
  try {
    return await make(type, values);
  } catch (error) {
    if (!(error instanceof Failure) || (error.code !== "invalid" && error.code !== "conflict")) throw error;
    const action = taken?.transition.label ?? "";
    const said = (reason: Message) => say("cannot_create", { action, type: type.noun, reason });
    const [first = error.said, ...rest] = error.detail.errors ?? [];
    if (error.code === "invalid") throw new Failure("invalid", { errors: [first, ...rest].map(said) });
    throw new Failure("conflict", { with: { reason: said(first) } });
  }
}

/** The entries of steps: one statement for all that begin, one for all that go on. A record's entries are in their order. */
export async function logSteps(
  work: Work,
  type: RecordType,
  steps: readonly { readonly id: string; readonly step: WorkflowStep }[],
): Promise<void> {
  const { caller, snapshot, transaction } = work;
  const log = requireType(snapshot, "core/stage_log");
  for (const entryOf of [beginningOf, goingOnOf]) {
    const rows = steps.flatMap(({ id, step }) => {
      const entry = entryOf(step);
      return entry ? [{ ...commonOf(work, type, id, step), ...entry }] : [];
    });
    if (rows.length > 0) await appendRows(transaction, snapshot, log, caller.organizationId, rows);
  }
}

const commonOf = ({ caller }: Work, type: RecordType, id: string, { before, at }: WorkflowStep): ColumnValues => ({
  related_type: type.key,
  related_id: id,
  version: before.workflow.version,
  created: at,
  modified: at,
  created_by: caller.userId,
  modified_by: caller.userId,
});

const beginningOf = ({ before, begins, taken, comment }: WorkflowStep): ColumnValues | undefined =>
  begins ? { step: "start", to_stage: before.stage.id, comment: taken ? null : comment } : undefined;

function goingOnOf({ before, taken, comment, made, revision }: WorkflowStep): ColumnValues | undefined {
  if (!taken) return undefined;
  const { transition, moved, settled, state } = taken;
  return {
    step: moved ? "move" : "vote",
    kind: transition.kind,
    action_name: transition.name,
    label: transition.label,
    from_stage: before.stage.id,
    to_stage: state.stage.id,
    comment,
    made: madeText(made),
    made_revision: revision,
    settled: settled.length === 0 ? null : settled.join(" "),
  };
}

/** After the record is written: a vote moves nobody, but whose turn it is has changed. */
export async function settleStep(work: Work, type: RecordType, id: string, step: WorkflowStep): Promise<void> {
  if (step.taken && !step.taken.moved) await moveAcls(aclWork(work), type, [id]);
}
