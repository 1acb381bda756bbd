// The entries of a policy as the editor works with them: grantees who have the right always, and those who have it under a condition. Pure.
import { isOn, type RoleRights } from "../../../../client/design/record-types.ts";
import { type RecordRight, recordRights } from "../../../../contract/permissions.ts";
import type { AccessPolicy, ConditionalGrant, Grantee, PolicyEntry } from "../../../../contract/record-type.ts";

/** A field that names people. */
export interface NamingField {
  readonly name: string;
  readonly label: string;
}

/** What such fields refer to. */
export const namingTypes: ReadonlySet<string> = new Set([
  "access_controls/users",
  "access_controls/groups",
  "access_controls/roles",
]);

export const grantOf = (entry: PolicyEntry): { readonly to: Grantee; readonly when: string | undefined } =>
  typeof entry === "string" ? { to: entry, when: undefined } : entry;

export const alwaysOf = (entries: readonly PolicyEntry[]): Grantee[] =>
  entries.filter((entry): entry is Grantee => typeof entry === "string");

export const conditionalOf = (entries: readonly PolicyEntry[]): ConditionalGrant[] =>
  entries.filter((entry): entry is ConditionalGrant => typeof entry !== "string");

/** Rights that the policy gives to somebody, and that only administrators have by their roles. */
export const rightsWithoutRole = (policy: AccessPolicy, roles: readonly RoleRights[]): readonly RecordRight[] => {
  const operations = { read: "view", edit: "edit", delete: "delete", comment: "comment" } as const;
  const others = roles.filter((role) => !isOn(role.is_administrator));
  const administrators = new Set(roles.filter((role) => isOn(role.is_administrator)).map(({ code }) => `role:${code}`));
  return recordRights.filter(
    (right) =>
      policy[right].some((entry) => !administrators.has(grantOf(entry).to)) &&
      !others.some((role) => isOn(role.operations[operations[right]])),
  );
};
