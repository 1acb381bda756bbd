// The arithmetic of form-element permissions: 0 inherits, 2 edits, 4 only shows, 1 hides. Pure.
import type { Permission } from "../../contract/permissions.ts";

/** What is left once nothing is inherited any more. */
export type EffectivePermission = Exclude<Permission, 0>;

const restriction: Record<EffectivePermission, number> = { 2: 0, 4: 1, 1: 2 };

export const mostRestrictive = (a: EffectivePermission, b: EffectivePermission): EffectivePermission =>
  restriction[a] >= restriction[b] ? a : b;

export const leastRestrictive = (a: EffectivePermission, b: EffectivePermission): EffectivePermission =>
  restriction[a] <= restriction[b] ? a : b;

/** An element's own level under its parent's: 0 takes the parent's, and nothing shows inside what is hidden. */
export function inherit(parent: EffectivePermission, own: Permission): EffectivePermission {
  if (own === 0 || parent === 1) return parent;
  return own;
}

/** What is said of a role, by its code; a code that every object has as a name (`constructor`) is no exception. */
export const ofRole = (
  roles: Readonly<Record<string, Permission>> | undefined,
  code: string,
): Permission | undefined => (roles !== undefined && Object.hasOwn(roles, code) ? roles[code] : undefined);

/** One person in several roles has the widest of what they allow; a role that says nothing allows all. */
export function acrossRoles(overrides: readonly (Permission | undefined)[]): EffectivePermission {
  if (overrides.length === 0) return 2;
  return overrides
    .map((override) => (override === undefined || override === 0 ? 2 : override))
    .reduce(leastRestrictive);
}

export interface PermissionSources {
  /** Of the enclosing element; 2 at the top. */
  readonly parent: EffectivePermission;
  /** The static declaration on the field or element. */
  readonly declared: Permission;
  readonly roles: EffectivePermission;
  /** The form's own level. */
  readonly form: Permission;
  /** `view` shows; `add` and `edit` may write. */
  readonly operation: "view" | "add" | "edit";
}

export function effectivePermission(sources: PermissionSources): EffectivePermission {
  const own = inherit(sources.parent, sources.declared);
  const form: EffectivePermission = sources.form === 0 ? 2 : sources.form;
  const operation: EffectivePermission = sources.operation === "view" ? 4 : 2;
  return [own, sources.roles, form, operation].reduce(mostRestrictive);
}
