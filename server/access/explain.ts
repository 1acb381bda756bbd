// Takes a record's recipe and the policy in force; returns who has which right on it, and why. Pure: the same rules as
// acl.ts, with their reasons.
import type { RecordRight } from "../../contract/permissions.ts";
import { recordRights } from "../../contract/permissions.ts";
import { grantOf } from "../metadata/policies/policy.ts";
import type { AccessPolicy, Grantee } from "../metadata/record-type.ts";
import { type PrincipalLookup, principalOf, principalsOf, type Recipe, type TemporaryGrantee } from "./acl.ts";

/** A grantee of the policy, a share by hand, the workflow for as long as the record is in its stage, or the record that it is attached to. */
export type AccessReason = Grantee | "share" | "workflow" | "record";

export interface Holding {
  readonly principal: number;
  readonly right: RecordRight;
  readonly reason: AccessReason;
  /** Of a share that ends. */
  readonly until: string | null;
}

/** `ids`: of the facts that the policy asks for. */
export function explainAccess(
  policy: AccessPolicy,
  recipe: Recipe,
  facts: PrincipalLookup,
  now: string,
  ids?: ReadonlyMap<string, number>,
): Holding[] {
  const live = recipe.shares.filter((share) => share.until === null || share.until > now);
  const lent: Readonly<Partial<Record<RecordRight, readonly TemporaryGrantee[]>>> = recipe.grants;
  return recordRights.flatMap((right): Holding[] => [
    ...policy[right].flatMap((entry) =>
      principalsOf(entry, recipe, facts, ids)
        .filter((principal) => principal !== undefined)
        .map((principal) => ({ principal, right, reason: grantOf(entry).to, until: null })),
    ),
    ...live
      .filter((share) => share.rights.includes(right))
      .map(({ principal, until }) => ({ principal, right, reason: "share" as const, until })),
    ...(lent[right] ?? [])
      .map((grantee) => principalOf(grantee, recipe.owner, facts))
      .filter((principal) => principal !== undefined)
      .map((principal) => ({ principal, right, reason: "workflow" as const, until: null })),
  ]);
}
