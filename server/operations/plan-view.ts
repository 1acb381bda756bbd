// Takes the chosen view and the request; gives the plan of its rows or of its groups. A view that this caller cannot be
// shown (it filters by a column that is hidden from them) gives way to the record type's own, with a message.

import { Failure } from "../../contract/failures.ts";
import { isGeneratedView } from "../../contract/generated-view.ts";
import { type Message, say } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import { currentScope } from "../database/scope.ts";
import { readVersions } from "../database/versions.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Scope } from "../plan/column.ts";
import { asDrafted, type ListView, namedView } from "../plan/list-view.ts";
import { type GroupsPlan, planGroups } from "../plan/plan-groups.ts";
import { isGrouped, type ListPlan, planList } from "../plan/plan-list.ts";
import { isWhole } from "../plan/plan-rows.ts";
import { type ChosenView, VIEW_TABLES } from "../records/list/list-views.ts";
import type { ListParameters } from "../request/list-parameters.ts";
import type { OperationContext } from "./operation.ts";

export type PlannedView =
  | { readonly kind: "rows"; readonly plan: ListPlan; readonly message: readonly Message[] }
  | { readonly kind: "groups"; readonly plan: GroupsPlan; readonly message: readonly Message[] };

/** The view as it is, without anything that a request adds. */
export const asSaved: ListParameters = {
  viewId: undefined,
  viewQuery: undefined,
  page: 1,
  limit: undefined,
  sort: undefined,
  descending: false,
  search: undefined,
  q: undefined,
  track: false,
};

/** Who names fields or groups says what it wants to see: that does not depend on what was looked at before. */
export const isOwnList = ({ q }: ListParameters): boolean => q?.fields !== undefined || q?.group !== undefined;

const plan = (scope: Scope, view: ListView, sent: ListParameters): PlannedView =>
  isGrouped(view, sent)
    ? { kind: "groups", plan: planGroups(scope, view, sent), message: [] }
    : { kind: "rows", plan: planList(scope, view, sent), message: [] };

export function planView(scope: Scope, view: ListView, sent: ListParameters): PlannedView {
  // Whoever drafts a view is told what is wrong with it.
  if (sent.viewQuery !== undefined) return plan(scope, asDrafted(view, sent.viewQuery), sent);
  try {
    return plan(scope, view, sent);
  } catch (error) {
    if (!(error instanceof Failure) || isGeneratedView(view.id) || canBeShown(scope, view)) throw error;
    const open = namedView(scope.type, scope.caller.language);
    const message = [say("view_hidden", { name: view.name, other: open.name })];
    return { ...plan(scope, open, sent), message };
  }
}

export interface ChosenPlan {
  readonly chosen: ChosenView;
  readonly planned: PlannedView;
  /** What is asked for does not depend on a view. */
  readonly own: boolean;
}

const fitting = new WeakMap<PlannedView["plan"], boolean>();

/** Known of a plan for as long as the plan is. */
function fits(scope: Scope, view: ListView, planned: PlannedView): boolean {
  const known = fitting.get(planned.plan);
  if (known !== undefined) return known;
  const found = isWhole(scope, view) && (planned.kind === "rows" || planned.plan.comparesAll);
  fitting.set(planned.plan, found);
  return found;
}

/** The view that a request asks for, as it is kept in memory, and the plan of it. */
export async function planChosen(
  { services, snapshot }: OperationContext,
  caller: Caller,
  type: RecordType,
  sent: ListParameters,
): Promise<ChosenPlan> {
  const own = isOwnList(sent) && sent.viewId === undefined;
  const chosen = await services.lists.views.choose(snapshot, caller, type, sent.viewId, !own);
  const about = currentScope()?.about;
  if (about) about.view = chosen.view.id;
  const scope = { snapshot, type, caller, now: new Date() };
  const planned = planView(scope, chosen.view, sent);
  // Its rows are not those that its filters name.
  const isUnfit = planned.message.length === 0 && sent.viewQuery === undefined && !fits(scope, chosen.view, planned);
  const message = isUnfit ? [say("view_unfit", { name: chosen.view.name })] : planned.message;
  return { chosen, planned: { ...planned, message }, own };
}

function canBeShown(scope: Scope, view: ListView): boolean {
  try {
    plan(scope, view, asSaved);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** The view as it is now: what is kept of views in memory is compared with its tables. */
export async function currentView(
  { lists, database }: OperationContext["services"],
  choose: () => Promise<ChosenView>,
  organizationId: string,
): Promise<ListView> {
  const chosen = await choose();
  const tables = VIEW_TABLES.map((recordType) => ({ organizationId, recordType }));
  if ((await readVersions(database, tables)) === chosen.version) return chosen.view;
  lists.views.forget(organizationId);
  return (await choose()).view;
}
