// Takes the navigation as it was, as somebody else has saved it meanwhile, and as it is being arranged; gives what is being arranged on
// top of what was saved, and the names of modules that the other one changed. Pure.
import type { ArrangedEntry, ArrangedModule } from "../../../../client/design/navigation.ts";
import type { NavigationDraft } from "./navigation-draft.ts";

interface Standing {
  readonly entry: ArrangedEntry;
  readonly list: string;
}

const keyOf = (entry: ArrangedEntry, list: string): string => entry.id ?? entry.controller ?? `${list}/${entry.key}`;

const standings = (draft: NavigationDraft): ReadonlyMap<string, Standing> =>
  new Map(draft.flatMap(({ name, entries }) => entries.map((entry) => [keyOf(entry, name), { entry, list: name }])));

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Mine where I changed it, else theirs. */
function mergedParts<Part extends object>(base: Part | undefined, theirs: Part, mine: Part): Part {
  const changed = Object.entries(mine).filter(([name, value]) => !isSame(value, base?.[name as keyof Part]));
  return { ...theirs, ...Object.fromEntries(changed) };
}

/** In my order if I changed it, else in theirs; what only the other order has goes to the end. */
function mergedOrder(base: readonly string[], theirs: readonly string[], mine: readonly string[]): readonly string[] {
  const kept = new Set(mine);
  const isMoved = !isSame(
    base.filter((one) => kept.has(one)),
    mine.filter((one) => base.includes(one)),
  );
  return [...new Set(isMoved ? [...mine, ...theirs] : [...theirs, ...mine])];
}

export function mergedArrangement(
  base: NavigationDraft,
  theirs: NavigationDraft,
  mine: NavigationDraft,
): NavigationDraft {
  const [before, there, here] = [standings(base), standings(theirs), standings(mine)];
  const merged = new Map<string, Standing>();
  for (const key of new Set([...there.keys(), ...here.keys()])) {
    const [was, their, my] = [before.get(key), there.get(key), here.get(key)];
    // What one of us removed is gone; what one of us added is there.
    if (their === undefined || my === undefined) {
      const only = their ?? my;
      if (only && was === undefined) merged.set(key, only);
      continue;
    }
    const list = my.list === was?.list ? their.list : my.list;
    merged.set(key, { entry: mergedParts(was?.entry, their.entry, my.entry), list });
  }
  const named = (draft: NavigationDraft) => new Map(draft.map((module) => [module.name, module]));
  const [oldOnes, theirOnes, myOnes] = [named(base), named(theirs), named(mine)];
  const isKept = (name: string): boolean =>
    (theirOnes.has(name) && myOnes.has(name)) ||
    !oldOnes.has(name) ||
    [...merged.values()].some(({ list }) => list === name);
  const order = mergedOrder([...oldOnes.keys()], [...theirOnes.keys()], [...myOnes.keys()]);
  return order.filter(isKept).flatMap((name): ArrangedModule[] => {
    const [their, my] = [theirOnes.get(name), myOnes.get(name)];
    const module = their && my ? mergedParts(oldOnes.get(name), their, my) : (their ?? my);
    if (module === undefined) return [];
    const keys = (draft: ReadonlyMap<string, Standing>): readonly string[] =>
      [...draft].flatMap(([key, { list }]) => (list === name ? [key] : []));
    const inside = mergedOrder(keys(before), keys(there), keys(here));
    const all = [...new Set([...inside, ...merged.keys()])];
    const entries = all.flatMap((key) => {
      const standing = merged.get(key);
      return standing?.list === name ? [standing.entry] : [];
    });
    return [{ ...module, entries }];
  });
}

/** What modules are called that were added, changed or removed. */
export function changedModules(base: NavigationDraft, theirs: NavigationDraft): readonly string[] {
  const [before, after] = [base, theirs].map((draft) => new Map(draft.map((module) => [module.name, module])));
  const names = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  return [...names].flatMap((name) => {
    const [was, is] = [before?.get(name), after?.get(name)];
    return isSame(was, is) ? [] : [is?.label ?? was?.label ?? name];
  });
}
