// How the plan of a list keeps to the rows that its caller may read. It is part of the plan: whatever compiles or counts
// a plan takes it from there, and there is no plan without it.
import type { AclView } from "../access/acl-directory.ts";

export type RowAccess =
  /** The statement looks up what the caller may read. */
  | { readonly kind: "in-statement" }
  | SetAccess
  /** The answer is told by access set for all callers; whoever uses it narrows it to the caller's sets. */
  | { readonly kind: "told-by-set" };

/** The caller's access sets from memory; the statement reports the version that they have to be of. */
export interface SetAccess {
  readonly kind: "by-sets";
  readonly view: AclView;
}
