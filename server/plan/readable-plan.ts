// Takes the plan of a list; gives it with the access that a statement is to keep to: the caller's sets, or told by set.
import type { AclView } from "../access/acl-directory.ts";
import type { ListPlan } from "./plan-list.ts";
import type { RowsPlan } from "./plan-rows.ts";
import type { SetAccess } from "./row-access.ts";

/** A plan with the caller's sets at hand. */
export type ReadablePlan = ListPlan & { readonly access: SetAccess };

const settled = new WeakMap<ListPlan, ReadablePlan>();

/** While the caller's sets stay the same, so does the plan with them: what is made of it is kept by it. */
export function withSets(plan: ListPlan, view: AclView): ReadablePlan {
  let known = settled.get(plan);
  if (known?.access.view !== view) {
    known = { ...plan, access: { kind: "by-sets", view } };
    settled.set(plan, known);
  }
  return known;
}

export const toldBySet = (plan: RowsPlan): RowsPlan => ({ ...plan, access: { kind: "told-by-set" } });
