// Record types in the order in which people know them: those of work as the navigation has them, with the rest of their modules, then
// what belongs to administration. Pure.
import type { NavigationModule } from "../../../client/lists/navigation.ts";

interface Ordered {
  readonly key: string;
  readonly module: string;
  readonly module_label: string;
}

export interface TypeGroup<Type> {
  /** The module's; undefined for administration. */
  readonly label: string | undefined;
  readonly types: readonly Type[];
}

export function typesInOrder<Type extends Ordered>(
  types: readonly Type[],
  navigation: readonly NavigationModule[],
): readonly TypeGroup<Type>[] {
  const entries = navigation.flatMap((module) => module.entries);
  const places = new Map<string, number>(entries.map(({ key }, index) => [key, index]));
  const administered = new Set<string>(entries.filter(({ section }) => section !== "work").map(({ key }) => key));
  const worked = [
    ...new Set([
      ...entries.filter(({ section }) => section === "work").map(({ module }) => module),
      // A module that is not in the navigation, of types that people designed.
      ...types.map(({ module }) => module).filter((module) => !entries.some((entry) => entry.module === module)),
    ]),
  ];
  const sorted = [...types].sort(
    (one, other) => (places.get(one.key) ?? places.size) - (places.get(other.key) ?? places.size),
  );
  const groups = worked.map((module) => {
    const own = sorted.filter((type) => type.module === module && !administered.has(type.key));
    const label = navigation.find(({ name }) => name === module)?.label ?? own[0]?.module_label;
    return { label, types: own };
  });
  const taken = new Set(groups.flatMap((group) => group.types.map(({ key }) => key)));
  return [...groups, { label: undefined, types: sorted.filter(({ key }) => !taken.has(key)) }].filter(
    (group) => group.types.length > 0,
  );
}
