// What administration consists of, in groups: its own pages for administrators, and the lists of records that the caller
// can change, as the navigation says. Pure.
import { type NavigationEntry, type NavigationModule, shownModules } from "../../../client/lists/navigation.ts";
import type { AdministrationPart } from "./administration-parts.ts";

export const administrationGroups = ["people", "data", "organization", "reference", "service"] as const;
export type AdministrationGroup = (typeof administrationGroups)[number];

export type AdministrationItem =
  | { readonly kind: "part"; readonly part: AdministrationPart }
  | { readonly kind: "list"; readonly entry: NavigationEntry };

const partsIn: Readonly<Record<AdministrationGroup, readonly AdministrationPart[]>> = {
  people: ["users", "invitations", "groups", "roles", "sessions", "api_keys", "audit"],
  data: ["record_types", "navigation", "translations", "designs", "speed"],
  organization: ["organization", "license"],
  reference: [],
  service: [],
};

/** Record types that have a page of their own here. */
const withPart: ReadonlySet<string> = new Set([
  "access_controls/users",
  "access_controls/groups",
  "access_controls/roles",
  "access_controls/organizations",
  "access_controls/api_keys",
  "core/translations",
]);

const groupOfModule: Readonly<Record<string, AdministrationGroup>> = {
  access_controls: "people",
  masters: "reference",
  development_base: "service",
};

export function administrationItems(
  modules: readonly NavigationModule[],
  isAdministrator: boolean,
): readonly { readonly group: AdministrationGroup; readonly items: readonly AdministrationItem[] }[] {
  const lists = shownModules(modules)
    .flatMap(({ entries }) => entries)
    .filter(({ key, section }) => section === "administration" && !(isAdministrator && withPart.has(key)));
  return administrationGroups
    .map((group) => ({
      group,
      items: [
        ...(isAdministrator ? partsIn[group] : []).map((part) => ({ kind: "part", part }) as const),
        ...lists
          .filter(({ module }) => (groupOfModule[module] ?? "data") === group)
          .map((entry) => ({ kind: "list", entry }) as const),
      ],
    }))
    .filter(({ items }) => items.length > 0);
}
