// What the form of a new record begins with: what was typed into it before, and what it is given now. Pure.

type Given<One> = Readonly<Record<string, One>>;

export const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** What it was given before already has been typed over since, or not: only what is given anew goes before it. */
export function seeded<One extends { readonly value: unknown }>(
  found: { readonly changes: Given<One>; readonly seed?: Given<One> } | undefined,
  seed: Given<One>,
): Given<One> {
  if (found === undefined) return seed;
  const anew = Object.entries(seed).filter(([field, { value }]) => !same(value, found.seed?.[field]?.value));
  return { ...found.changes, ...Object.fromEntries(anew) };
}
