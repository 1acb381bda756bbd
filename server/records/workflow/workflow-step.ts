// Takes a draft and the requested action; decides what happens to the record in its workflow: nothing, its start, a
// transition or a vote. A step that is not allowed fails here, before anything is written; field errors are added to the draft's.

import { Failure } from "../../../contract/failures.ts";
import { type MessageParam, say } from "../../../contract/messages.ts";
import type { Actor, PrincipalLookup } from "../../access/acl.ts";
import { actionsOf, type FormAction } from "../../forms/actions.ts";
import { instant } from "../../lib/instant.ts";
import type { RecordChoices, SentStage } from "../../plan/sent-stage.ts";
import type { SentAction } from "../../request/call.ts";
import { echo } from "../../request/echo.ts";
import type { Tree } from "../../request/tree.ts";
import { actorContextOf, principalsOf } from "../../workflow/actor-context.ts";
import { workflowInForce, workflowOfNode } from "../../workflow/find-workflow.ts";
import { beginning } from "../../workflow/stage-field.ts";
import {
  actorsAsked,
  actorsFor,
  conditionHolds,
  findTransition,
  mayTake,
  pendingActors,
  possibleNow,
  type Taken,
  take,
  takersOf,
  type WorkflowState,
} from "../../workflow/state.ts";
import type { Transition } from "../../workflow/workflow.ts";
import type { Work } from "../hooks.ts";
import { choiceFaults } from "../read/record-choices.ts";
import { fieldRow, isUnset, sameField, wireField } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import type { Draft } from "../save/draft.ts";
import { shownActors } from "./actor-names.ts";
import { chooseStart, chooseTransition, putStageField, refuseOther, takeWanted } from "./stage-by-field.ts";
import { type MadeRecord, readAgreed } from "./stage-log.ts";

/** What a save does beside saving: nothing more, a transition, or something that it cannot be. */
export type SaveAction =
  | { readonly kind: "save" }
  | { readonly kind: "transition"; readonly action: SentAction }
  | { readonly kind: "unclear" };

export interface WorkflowStep {
  /** Where the record was; at the start if it was nowhere. */
  readonly before: WorkflowState;
  readonly begins: boolean;
  /** The record is being made: what is older keeps the values that people gave it when it joins a workflow. */
  readonly isNew: boolean;
  readonly taken: (Taken & { readonly transition: Transition }) | undefined;
  readonly comment: string | null;
  readonly records: RecordChoices;
  /** The revision of the record that it makes. */
  readonly revision: string;
  /** What it has created so far. */
  readonly made: MadeRecord[];
  readonly at: string;
}

export interface StepSource {
  readonly draft: Draft;
  /** What workflowPointer gave. */
  readonly pointer: string | null;
  readonly action: SaveAction;
  readonly stage: SentStage;
  /** Whether the caller holds the right to edit the record. */
  readonly mayEdit: boolean;
  readonly sent: Tree;
  /** A new record that a workflow makes: its definition says in which stage. */
  readonly isMadeByWorkflow?: boolean;
  /** Of many records: what was looked up for all of them. */
  readonly known?: KnownOfMany | undefined;
}

export interface KnownOfMany {
  /** Covers the owners of all records and the actors of their workflows; undefined where nobody is looked up. */
  readonly facts: PrincipalLookup | undefined;
  /** Who has agreed in the stage where a record is, by id. */
  readonly agreed: ReadonlyMap<string, readonly Actor[]>;
}

/** Whether there is anything to plan: not where a record is in no workflow, none begins, and nobody names a transition. */
export const mayStep = ({ draft, action, pointer }: StepSource): boolean =>
  action.kind !== "save" ||
  (draft.type.field.has("current_stage") && (draft.before?.current_stage ?? pointer) !== null);

export async function planStep(work: Work, source: StepSource): Promise<WorkflowStep | undefined> {
  const { draft, action, stage } = source;
  const state = await stateOf(work, draft, source.pointer, source.known?.agreed);
  if (!state) {
    if (action.kind !== "save") throw unknownAction(source, []);
    return undefined;
  }
  const wanted = takeWanted(draft, state);
  const begins = draft.before?.current_stage == null;
  const readBefore = reader(draft, draft.before ?? draft.after);
  const readAfter = reader(draft, draft.after);
  const owner = (draft.before ?? draft.after).owned_by ?? null;
  const plain = action.kind === "save" && stage.expected === undefined && wanted === undefined;
  const asked = plain ? [] : actorsAsked(state, readBefore);
  const { facts } = source.known ?? {};
  const actorContext = await actorContextOf(work.transaction, work.caller, owner, asked, source.mayEdit, facts);
  const possible = () => (draft.id === undefined ? [] : possibleNow(state, actorContext, readBefore, readAfter));
  if (stage.expected !== undefined && stage.expected !== state.stage.id) {
    const actions = shownActions([...(source.mayEdit ? actionsOf("edit") : []), ...possible()]);
    throw new Failure("stage_moved", {
      with: { stage: state.stage.name, actions },
      body: { data: { [draft.type.alias]: echo(source.sent) } },
    });
  }
  if (!begins) checkFixed(draft, state);
  const revision = (BigInt(draft.before?.revision ?? "0") + 1n).toString();
  const step = {
    before: state,
    begins,
    isNew: draft.before === undefined,
    revision,
    comment: stage.comment,
    records: stage.records,
    made: [],
    at: instant(),
  };
  if (action.kind === "save" && draft.id === undefined && wanted) {
    const chosen = await chooseStart(work, draft, wanted, state, source.isMadeByWorkflow ?? false);
    const before = { ...state, stage: chosen ?? state.stage };
    enter(draft, before, step.at);
    return { ...step, before, taken: undefined };
  }
  const change = { state, actorContext, owner, comment: stage.comment, stored: readBefore };
  const byField = action.kind === "save" && wanted ? await chooseTransition(work, draft, wanted, change) : undefined;
  if (action.kind === "save" && !byField) {
    if (begins) enter(draft, state, step.at);
    return { ...step, taken: undefined };
  }
  const transition = action.kind === "transition" ? findTransition(state, action.action.key) : byField;
  if (!transition || draft.id === undefined) throw unknownAction(source, possible());
  if (!mayTake(state, transition, actorContext, readBefore)) {
    const takers = takersOf(state, transition, readBefore) ?? [];
    const waited = transition.needsAll ? pendingActors(state, readBefore) : takers;
    const actors = await shownActors(work.transaction, work.caller, owner, waited);
    throw new Failure("transition_forbidden", {
      with: { action: transition.label, actors, actions: shownActions(possible()) },
    });
  }
  if (!conditionHolds(transition, readAfter)) {
    throw new Failure("condition_unmet", {
      with: {
        action: transition.label,
        condition: transition.conditionText ?? "",
        actions: shownActions(possible()),
      },
      body: { data: { [draft.type.alias]: echo(source.sent) } },
    });
  }
  if (action.kind === "transition" && wanted) refuseOther(draft, wanted, state, transition);
  checkFields(draft, transition, stage, source.mayEdit);
  const everybody = transition.needsAll
    ? await principalsOf(work.transaction, work.caller.organizationId, owner, actorsFor(state.stage.actors, readBefore))
    : undefined;
  const taken = take(state, transition, actorContext, readBefore, (actor) => everybody?.has(actor) ?? true);
  if (taken.moved || begins) enter(draft, taken.state, step.at);
  return { ...step, taken: { ...taken, transition } };
}

export async function stateOf(
  work: Work,
  draft: Draft,
  pointer: string | null,
  known?: KnownOfMany["agreed"],
): Promise<WorkflowState | undefined> {
  if (!draft.type.field.has("current_stage")) return undefined;
  const { transaction, snapshot, caller } = work;
  const node = draft.before?.current_stage;
  if (node == null) {
    const workflow = await workflowInForce(transaction, snapshot, caller.organizationId, pointer);
    return workflow && beginning(draft.type, workflow, draft.before);
  }
  const version = draft.before?.workflow_version ?? "";
  const workflow = await workflowOfNode(transaction, snapshot, caller.organizationId, node, version);
  const stage = workflow?.byNode.get(node);
  if (!workflow || !stage) return undefined;
  const { id } = draft;
  if (!stage.needsAll || id === undefined) return { workflow, stage, agreed: [] };
  const agreed =
    known?.get(id) ?? (known ? [] : await readAgreed(transaction, caller.organizationId, draft.type.key, id));
  return { workflow, stage, agreed };
}

const reader = (draft: Draft, row: ColumnValues) => (name: string) => {
  const field = draft.type.field.get(name);
  return field ? wireField(draft.type, field, row) : null;
};

function enter(draft: Draft, state: WorkflowState, at: string): void {
  draft.after.current_stage = state.stage.id;
  draft.after.stage_since = at;
  draft.after.workflow_version = state.workflow.version;
  putStageField(draft, state);
}

/** What the stage keeps as it is: a change of it would not be what others have agreed to. */
export function checkFixed({ type, plan, errors, before = {} }: Draft, { stage }: WorkflowState): void {
  for (const [name, values] of plan.values) {
    const field = type.field.get(name);
    if (!field || !stage.fixed.has(name) || sameField(field, values, fieldRow(type, field, before))) continue;
    errors[`${plan.path}.${name}`] = [say("fixed_in_stage", { field: field.label, stage: stage.name })];
  }
}

/** What a transition asks for, and what somebody may send along who otherwise may not change the record. */
function checkFields(draft: Draft, transition: Transition, stage: SentStage, mayEdit: boolean): void {
  const { type, plan, errors, after } = draft;
  const action = transition.label;
  for (const name of transition.required) {
    const field = type.field.get(name);
    if (!field || !isUnset(fieldRow(type, field, after))) continue;
    errors[`${plan.path}.${name}`] ??= [say("required_for", { field: field.label, action })];
  }
  if (transition.reason === "required" && stage.comment === null) {
    errors[`${plan.path}.stage_log.comment`] = [say("reason_required_for", { action })];
  }
  for (const [name, said] of Object.entries(choiceFaults(stage.records, transition.effects))) {
    errors[`${plan.path}.stage_log.records.${name}`] = [said];
  }
  if (mayEdit) return;
  for (const [name, values] of plan.values) {
    const field = type.field.get(name);
    if (!field || transition.required.includes(name)) continue;
    if (sameField(field, values, fieldRow(type, field, draft.before ?? {}))) continue;
    errors[`${plan.path}.${name}`] = [say("not_editable", { field: field.label })];
  }
  for (const { association } of plan.children) {
    errors[`${plan.path}.${association.name}`] = [say("not_editable", { field: association.label })];
  }
}

const shownActions = (actions: readonly FormAction[]): MessageParam =>
  actions.length === 0 ? say("no_actions") : actions.map((one) => `${one.name} (${one.label})`);

function unknownAction({ draft, mayEdit, sent }: StepSource, transitions: readonly Transition[]): Failure {
  const saving = mayEdit ? actionsOf(draft.id === undefined ? "add" : "edit") : [];
  return new Failure("unknown_action", {
    with: { actions: shownActions([...saving, ...transitions]) },
    body: { data: { [draft.type.alias]: echo(sent) } },
  });
}
