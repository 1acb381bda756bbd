// Takes the navigation; gives the record types that a field can name. Pure.
import type { NavigationEntry, NavigationModule } from "../../../client/lists/navigation.ts";

/** By module. One that is chosen stays, whether it would be offered or not. */
export function typeChoices(
  modules: readonly NavigationModule[],
  current: readonly string[],
  isOffered: (entry: NavigationEntry) => boolean = () => true,
) {
  const data = modules
    .map((module) => ({
      group: module.label,
      items: module.entries
        .filter((entry) => isOffered(entry) || current.includes(entry.key))
        .map((entry) => ({ value: entry.key as string, label: entry.label })),
    }))
    .filter(({ items }) => items.length > 0);
  const unknown = current.filter((key) => !data.some(({ items }) => items.some((item) => item.value === key)));
  return unknown.length === 0
    ? data
    : [...data, { group: "", items: unknown.map((key) => ({ value: key, label: key })) }];
}
