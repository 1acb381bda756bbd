// Where rows are by now, told by the records that stood on them. Pure.

/** For every noted row that is at hand: where its record stands now; undefined where it is not to be found. */
export function whereNow(
  noted: ReadonlyMap<number, string>,
  idAt: (row: number) => string | undefined,
  find: (id: string) => number | undefined,
): ReadonlyMap<number, number | undefined> {
  const now = new Map<number, number | undefined>();
  for (const [row, id] of noted) {
    const other = idAt(row);
    if (other !== undefined) now.set(row, other === id ? row : find(id));
  }
  return now;
}

/** By how much a range has moved; undefined where it no longer holds the same records. */
export function movedBy(
  now: ReadonlyMap<number, number | undefined>,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): number | undefined {
  const steps = new Set<number | undefined>();
  for (const [row, to] of now) if (row >= top && row <= bottom) steps.add(to === undefined ? undefined : to - row);
  return steps.size > 1 ? undefined : steps.size === 0 ? 0 : [...steps][0];
}
