// What a field of a new record takes over from a record that the new one names: `order.currency_id`, once compiled, and which other
// fields must be settled first.

export interface StartsFrom {
  /** The reference of the new record. */
  readonly via: string;
  /** The record type that it names. */
  readonly target: string;
  /** Its field. */
  readonly field: string;
}

/** What of a record type decides in which order its fields start. */
interface Starts {
  readonly startsFrom: ReadonlyMap<string, StartsFrom>;
  readonly choices: ReadonlyMap<string, { readonly own: ReadonlySet<string> }>;
}

/** A value taken over may be a reference that others take over from, so many times. */
export const MOST_ROUNDS = 4;

/** The reference that it comes by, and what limits which records it may name. */
export function needsOf({ startsFrom, choices }: Starts, name: string): readonly string[] {
  const via = startsFrom.get(name)?.via;
  const own = [...(choices.get(name)?.own ?? [])].filter((one) => one !== name);
  return via === undefined ? own : [via, ...own];
}

/** The fields that would stay empty: they wait for each other, or for too many. */
export function neverSettled(type: Starts): readonly string[] {
  let open = [...type.startsFrom.keys()];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = new Set(open);
    open = open.filter((name) => needsOf(type, name).some((one) => before.has(one)));
  }
  return open;
}
