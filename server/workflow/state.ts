// Where a record stands in its workflow, whom that waits for, what it lends them, and which transitions somebody may
// take. Pure: who somebody is comes in as a question that can be asked of every actor.
import { evaluate, type ValueOf } from "../../contract/conditions.ts";
import type { ActorName } from "../../contract/workflow.ts";
import { type Actor, type Grants, noGrants } from "../access/acl.ts";
import { normalizeAction } from "../request/call.ts";
import type { Stage, Transition, Workflow } from "./workflow.ts";

export interface WorkflowState {
  readonly workflow: Workflow;
  readonly stage: Stage;
  /** The actors that have agreed since the record came to this stage, where all of them must. */
  readonly agreed: readonly Actor[];
}

/** Actors as access knows them: a user field stands for whom it names. */
export function actorsFor(names: readonly ActorName[], read: ValueOf): Actor[] {
  const found = names.flatMap((name): Actor[] => {
    if (!isField(name)) return [name];
    const user = read(name.slice("field:".length));
    return typeof user === "string" && user !== "" ? [`user:${user}`] : [];
  });
  return [...new Set(found)];
}

const isField = (name: ActorName): name is `field:${string}` => name.startsWith("field:");

/** Whose turn it is: the stage's actors, without those who have agreed already. */
export const pendingActors = ({ stage, agreed }: WorkflowState, read: ValueOf): Actor[] =>
  actorsFor(stage.actors, read).filter((actor) => !agreed.includes(actor));

/** What the stage lends: to all its actors for as long as it lasts, whether or not they have agreed. */
export function grantsOf(state: WorkflowState, read: ValueOf): Grants {
  const { stage } = state;
  const actors = actorsFor(stage.actors, read);
  if (actors.length === 0) return noGrants;
  return {
    read: actors,
    edit: stage.grants.has("edit") ? actors : [],
    delete: stage.grants.has("delete") ? actors : [],
    act: pendingActors(state, read),
  };
}

/** What can be asked of somebody who wants to take a transition. */
export interface ActorContext {
  holds(actor: Actor): boolean;
  /** Holds the right to edit the record. */
  readonly mayEdit: boolean;
}

/** Who may take a transition: undefined for whoever may edit the record. */
export function takersOf(state: WorkflowState, transition: Transition, read: ValueOf): Actor[] | undefined {
  if (transition.by) return actorsFor(transition.by, read);
  if (transition.needsAll) return pendingActors(state, read);
  return state.stage.actors.length > 0 ? actorsFor(state.stage.actors, read) : undefined;
}

export function mayTake(
  state: WorkflowState,
  transition: Transition,
  actorContext: ActorContext,
  read: ValueOf,
): boolean {
  const takers = takersOf(state, transition, read);
  return takers === undefined ? actorContext.mayEdit : takers.some((actor) => actorContext.holds(actor));
}

export const conditionHolds = ({ condition }: Transition, read: ValueOf): boolean =>
  condition === undefined || evaluate(condition, read);

/** The transitions that somebody may take by who it is. */
export const takeable = (state: WorkflowState, actorContext: ActorContext, read: ValueOf): Transition[] =>
  state.stage.out.filter((transition) => mayTake(state, transition, actorContext, read));

/** Those whose conditions hold as well. Who may take them is a matter of what is stored; conditions are about what is sent. */
export const possibleNow = (
  state: WorkflowState,
  actorContext: ActorContext,
  stored: ValueOf,
  sent: ValueOf,
): Transition[] => takeable(state, actorContext, stored).filter((transition) => conditionHolds(transition, sent));

export const findTransition = ({ stage }: WorkflowState, action: string): Transition | undefined =>
  stage.out.find((transition) => normalizeAction(transition.name) === action);

export interface Taken {
  readonly state: WorkflowState;
  /** False for a vote that leaves others to be asked. */
  readonly moved: boolean;
  /** The actors for whom a vote counts. */
  readonly settled: readonly Actor[];
}

/** Where a transition leads. `exists`: an actor who stands for nobody cannot be waited for. */
export function take(
  state: WorkflowState,
  transition: Transition,
  actorContext: ActorContext,
  read: ValueOf,
  exists: (actor: Actor) => boolean,
): Taken {
  const to = state.workflow.byKey.get(transition.to);
  if (!to) throw new Error(`the workflow ${state.workflow.id} has no stage ${transition.to}`);
  const settled = transition.needsAll ? pendingActors(state, read).filter((actor) => actorContext.holds(actor)) : [];
  const agreed = [...state.agreed, ...settled];
  const left = pendingActors({ ...state, agreed }, read).filter(exists);
  if (transition.needsAll && left.length > 0) return { state: { ...state, agreed }, moved: false, settled };
  return { state: { workflow: state.workflow, stage: to, agreed: [] }, moved: true, settled };
}

/** Every actor whose identity a decision about this state may depend on. */
export function actorsAsked(state: WorkflowState, read: ValueOf): Actor[] {
  const { stage } = state;
  return actorsFor([...stage.actors, ...stage.out.flatMap((one) => one.by ?? [])], read);
}

/** Whoever takes it can choose about the records that it creates. */
export const hasChoices = ({ effects }: Transition): boolean =>
  effects.some((effect) => effect.kind === "create" && effect.offers.size > 0);
