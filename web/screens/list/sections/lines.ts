// The lines of a table: the rows of a list, or of its sections, each under a head and perhaps folded. Tells what stands on a
// line, and where a section's rows begin, for any number of rows. Pure.

/** A part of a list that is asked for by itself. A list without sections is one part without a head. */
export interface Part {
  readonly key: string;
  readonly count: number;
  readonly isFolded: boolean;
}

export type Line<P extends Part> =
  | { readonly kind: "head"; readonly part: P }
  /** `row`: its place among the rows of the part. */
  | { readonly kind: "row"; readonly part: P; readonly row: number };

export interface Lines<P extends Part> {
  readonly parts: readonly P[];
  readonly hasHeads: boolean;
  readonly count: number;
  at(index: number): Line<P> | undefined;
  /** The line of a part's row, or with -1 of its head. */
  lineOf(part: P, row: number): number;
  /** How many heads stand above a line. */
  headsBefore(index: number): number;
  /** How many rows follow in the same part, with that on the line itself. */
  roomBelow(index: number): number;
}

export function linesOf<P extends Part>(parts: readonly P[], hasHeads: boolean): Lines<P> {
  const lead = hasHeads ? 1 : 0;
  const starts: number[] = [];
  let count = 0;
  for (const part of parts) {
    starts.push(count);
    count += lead + (part.isFolded ? 0 : part.count);
  }
  /** The last part that begins at the line or above it. */
  const partAt = (index: number): number => {
    let [low, high] = [0, parts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const at = (index: number): Line<P> | undefined => {
    if (index < 0 || index >= count) return undefined;
    let place = partAt(index);
    // Parts without rows and without a head take no line.
    while (lead === 0 && place > 0 && parts[place]?.count === 0) place -= 1;
    const part = parts[place];
    if (part === undefined) return undefined;
    const row = index - (starts[place] ?? 0) - lead;
    return row < 0 ? { kind: "head", part } : { kind: "row", part, row };
  };
  return {
    parts,
    hasHeads,
    count,
    at,
    lineOf: (part, row) => (starts[parts.indexOf(part)] ?? 0) + lead + row,
    headsBefore: (index) => (lead === 0 || parts.length === 0 || index <= 0 ? 0 : partAt(index - 1) + 1),
    roomBelow: (index) => {
      const line = at(index);
      return line?.kind === "row" ? line.part.count - line.row : 0;
    },
  };
}
