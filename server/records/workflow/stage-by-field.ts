// Takes a draft whose stage field was sent; gives what that asks of the workflow: a transition, or the stage that a new
// record starts in. What is not possible is said at the field. The field itself is only ever written from the stage.
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
import { actorNames } from "./actor-names.ts";

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

const refuse = (draft: Draft, { field }: WantedOption, sentence: string): undefined => {
  draft.errors[faultKey(draft, field)] = [sentence];
};

/** `Qualified (Qualify), Unqualified (Give up)`. */
function shownWays(field: Field, state: WorkflowState, transitions: readonly Transition[]): string {
  const ways = transitions.map(({ to, label }) => {
    const value = state.workflow.byKey.get(to)?.value ?? null;
    return `${optionLabel(field, value)} (${label})`;
  });
  return ways.length === 0 ? "none" : ways.join(", ");
}

interface Change {
  readonly state: WorkflowState;
  readonly actorContext: ActorContext;
  readonly owner: string | null;
  readonly comment: string | null;
}

/** The transition that leads to the option: the first in the workflow's order that the caller may take and has all for. */
export async function chooseTransition(
  work: Work,
  draft: Draft,
  wanted: WantedOption,
  { state, actorContext, owner, comment }: Change,
): Promise<Transition | undefined> {
  const { field, value } = wanted;
  const after = read(draft);
  const [from, to] = [state.stage.value, value].map((one) => optionLabel(field, one));
  const possible = `Possible now: ${shownWays(field, state, possibleNow(state, actorContext, after))}.`;
  const leading = state.stage.out.filter((one) => state.workflow.byKey.get(one.to)?.value === value && value !== null);
  if (leading.length === 0) {
    return refuse(draft, wanted, `${field.label} cannot change from ${from} to ${to}. ${possible}`);
  }
  const mine = leading.filter((one) => mayTake(state, one, actorContext, after));
  if (mine.length === 0) {
    const actors: Actor[] = leading.flatMap((one) => takersOf(state, one, after) ?? []);
    const names = await actorNames(work.transaction, work.caller.organizationId, owner, [...new Set(actors)]);
    const labels = leading.map(({ label }) => label).join(", ");
    const who = names.length === 0 ? "nobody at present" : names.join(", ");
    return refuse(draft, wanted, `${field.label} cannot change to ${to}: ${labels} is up to ${who}. ${possible}`);
  }
  const met = mine.filter((one) => conditionHolds(one, after));
  if (met.length === 0) {
    const needs = mine.map(({ label, conditionText }) => `${label} needs ${conditionText}`).join("; ");
    return refuse(draft, wanted, `${field.label} cannot change to ${to}: ${needs}. ${possible}`);
  }
  const complete = met.find((one) => missingFor(draft, one, comment).length === 0);
  // What the only one lacks is said at the fields that it needs.
  if (complete !== undefined || met.length === 1) return complete ?? met[0];
  const asked = met.map((one) => `${one.label} (${missingFor(draft, one, comment).join(", ")})`);
  return refuse(
    draft,
    wanted,
    `${field.label} can change to ${to} in several ways, and each needs something: ${asked.join("; ")}. Fill in what one of them needs.`,
  );
}

/** Of a transition that was named: what was sent beside it must be where it leads. */
export function refuseOther(draft: Draft, wanted: WantedOption, state: WorkflowState, transition: Transition): void {
  const { field, value } = wanted;
  const leadsTo = state.workflow.byKey.get(transition.to)?.value ?? null;
  if (value === leadsTo) return;
  const sentence = `${transition.label} changes ${field.label} to ${optionLabel(field, leadsTo)}, not to ${optionLabel(field, value)}`;
  refuse(draft, wanted, sentence);
}

/** What a transition asks for and the draft lacks, in words. */
function missingFor({ type, after }: Draft, { required, reason }: Transition, comment: string | null): string[] {
  const fields = required.flatMap((name) => {
    const field = type.field.get(name);
    return field && isUnset(fieldRow(type, field, after)) ? [field.label] : [];
  });
  return reason === "required" && comment === null ? [...fields, "a reason"] : fields;
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
  const shown = [...new Set(within.map((stage) => optionLabel(field, stage.value)))].join(", ");
  const label = draft.type.label.toLowerCase();
  return refuse(
    draft,
    wanted,
    `A new ${label} cannot start with ${field.label} ${optionLabel(field, value)}. It can start with: ${shown}.`,
  );
}
