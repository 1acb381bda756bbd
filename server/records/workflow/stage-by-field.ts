// Takes a draft that sets the stage field; returns what that means for the workflow: a transition, or the stage that a new
// record starts in. Impossible values are errors on the field. The field itself is written only from the stage.
import type { ValueOf } from "../../../contract/conditions.ts";
import { type Message, type MessageParam, say } from "../../../contract/messages.ts";
import type { Actor } from "../../access/acl.ts";
import type { Field } from "../../fields/field-type.ts";
import { actorContextOf } from "../../workflow/actor-context.ts";
import { optionLabel, stageFieldOf, stagesFrom } from "../../workflow/stage-field.ts";
import {
  type ActorContext,
  actorsFor,
  conditionHolds,
  mayTake,
  possibleNow,
  takersOf,
  type WorkflowState,
} from "../../workflow/state.ts";
import type { Stage, Transition } from "../../workflow/workflow.ts";
import type { Work } from "../hooks.ts";
import { fieldRow, isUnset, putField, wireField } from "../read/record-row.ts";
import type { Draft } from "../save/draft.ts";
import { shownActors } from "./actor-names.ts";

/** The option that somebody wants the stage field to have. */
export interface WantedOption {
  readonly field: Field;
  readonly value: string | null;
}

const read = (draft: Draft) => (name: string) => {
  const field = draft.type.field.get(name);
  return field ? wireField(draft.type, field, draft.after) : null;
};

/** Writes the stage's own value into its field, whatever was there. */
export function putStageField(draft: Draft, { workflow, stage }: WorkflowState): void {
  const field = stageFieldOf(draft.type, workflow);
  if (field) putField(draft.type, field, [stage.value], draft.after);
}

/** Takes what was sent for the stage field out of the draft. Undefined where that changes nothing, or is at fault already. */
export function takeWanted(draft: Draft, state: WorkflowState): WantedOption | undefined {
  const field = stageFieldOf(draft.type, state.workflow);
  if (!field) return undefined;
  const value = draft.after[field.name] ?? null;
  const isAsked = draft.plan.values.has(field.name) && draft.errors[faultKey(draft, field)] === undefined;
  putStageField(draft, state);
  return isAsked && value !== state.stage.value ? { field, value } : undefined;
}

const faultKey = ({ plan }: Draft, field: Field): string => `${plan.path}.${field.name}`;

const refuse = (draft: Draft, { field }: WantedOption, said: Message): undefined => {
  draft.errors[faultKey(draft, field)] = [said];
};

/** `Qualified (Qualify), Unqualified (Disqualify)`. */
function shownWays(field: Field, state: WorkflowState, transitions: readonly Transition[]): MessageParam {
  const ways = transitions.map(({ to, label }) => {
    const value = state.workflow.byKey.get(to)?.value ?? null;
    return `${optionLabel(field, value)} (${label})`;
  });
  return ways.length === 0 ? say("no_actions") : ways;
}

interface Change {
  readonly state: WorkflowState;
  readonly actorContext: ActorContext;
  readonly owner: string | null;
  readonly comment: string | null;
  /** The record as it is stored: that decides who may take what. */
  readonly stored: ValueOf;
}

/** The transition that leads to the option: the first in the workflow's order that the caller may take and has all for. */
export async function chooseTransition(
  work: Work,
  draft: Draft,
  wanted: WantedOption,
  { state, actorContext, owner, comment, stored }: Change,
): Promise<Transition | undefined> {
  const { field, value } = wanted;
  const after = read(draft);
  const change = { field: field.label, to: optionLabel(field, value) };
  const ways = shownWays(field, state, possibleNow(state, actorContext, stored, after));
  const leading = state.stage.out.filter((one) => state.workflow.byKey.get(one.to)?.value === value && value !== null);
  if (leading.length === 0) {
    const from = optionLabel(field, state.stage.value);
    return refuse(draft, wanted, say("no_way_to", { ...change, from, ways }));
  }
  const mine = leading.filter((one) => mayTake(state, one, actorContext, stored));
  if (mine.length === 0) {
    const takers: Actor[] = leading.flatMap((one) => takersOf(state, one, stored) ?? []);
    const actors = await shownActors(work.transaction, work.caller, owner, [...new Set(takers)]);
    const action = leading.map(({ label }) => label);
    return refuse(draft, wanted, say("not_your_way", { ...change, action, actors, ways }));
  }
  const met = mine.filter((one) => conditionHolds(one, after));
  if (met.length === 0) {
    const reasons = mine.map(({ label, conditionText = "" }) =>
      say("needs_condition", { action: label, condition: conditionText }),
    );
    return refuse(draft, wanted, say("unmet_way", { ...change, reasons, ways }));
  }
  const complete = met.find((one) => missingFor(draft, one, comment).length === 0);
  // What the only one lacks is said at the fields that it needs.
  if (complete !== undefined || met.length === 1) return complete ?? met[0];
  const asked = met.map((one) => say("way", { option: one.label, action: missingFor(draft, one, comment) }));
  return refuse(draft, wanted, say("several_ways", { ...change, ways: asked }));
}

/** Of a transition that was named: what was sent beside it must be where it leads. */
export function refuseOther(draft: Draft, wanted: WantedOption, state: WorkflowState, transition: Transition): void {
  const { field, value } = wanted;
  const leadsTo = state.workflow.byKey.get(transition.to)?.value ?? null;
  if (value === leadsTo) return;
  const [to, other] = [optionLabel(field, leadsTo), optionLabel(field, value)];
  refuse(draft, wanted, say("leads_elsewhere", { action: transition.label, field: field.label, to, other }));
}

/** What a transition asks for and the draft lacks, in words. */
function missingFor(
  { type, after }: Draft,
  { required, reason }: Transition,
  comment: string | null,
): (string | Message)[] {
  const fields = required.flatMap((name) => {
    const field = type.field.get(name);
    return field && isUnset(fieldRow(type, field, after)) ? [field.label] : [];
  });
  return reason === "required" && comment === null ? [...fields, say("a_reason")] : fields;
}

/**
 * Where a new record starts: wherever its author could bring it without anybody's approval. What the transitions on the
 * way ask for is not asked, and nothing happens along: it is told where the record stands, not moved there.
 */
export async function chooseStart(
  work: Work,
  draft: Draft,
  wanted: WantedOption,
  { workflow }: WorkflowState,
  isTrusted: boolean,
): Promise<Stage | undefined> {
  const { field, value } = wanted;
  if (value === null) return undefined;
  const means = (stage: Stage): boolean => stage.value === value;
  const named = isTrusted ? workflow.stages.find(means) : undefined;
  if (named) return named;
  const after = read(draft);
  const { caller, transaction } = work;
  const names = workflow.stages.flatMap((stage) => [...stage.actors, ...stage.out.flatMap((one) => one.by ?? [])]);
  // Who adds a record could have it for a moment before it is handed to its owner.
  const actorContext = await actorContextOf(transaction, caller, caller.userId, actorsFor(names, after), true);
  const within = stagesFrom(workflow, workflow.start, (stage, transition) => {
    if (transition.kind !== "move" || !conditionHolds(transition, after)) return false;
    return mayTake({ workflow, stage, agreed: [] }, transition, actorContext, after);
  });
  const found = within.find(means);
  if (found) return found;
  const options = [...new Set(within.map((stage) => optionLabel(field, stage.value)))];
  const start = {
    type: draft.type.noun,
    field: field.label,
    option: optionLabel(field, value),
    options,
  };
  return refuse(draft, wanted, say("cannot_start", start));
}
