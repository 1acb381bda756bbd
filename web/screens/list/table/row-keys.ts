// Gives each row in sight a key that goes with its record: where rows move, what is edited in one goes along. A row that was drawn before
// its record was there keeps its key when the record comes, and with it the focus. Pure.

/** Keys by record, as they were drawn last. */
export type RowKeys = ReadonlyMap<string, string>;

export interface KeyedRow {
  readonly index: number;
  /** Undefined: its record is not there yet. */
  readonly id: string | undefined;
}

export function keysOf(rows: readonly KeyedRow[], before: RowKeys): ReadonlyMap<number, string> {
  const kept = new Set(rows.flatMap(({ id }) => (id === undefined ? [] : (before.get(id) ?? []))));
  const used = new Set<string>();
  const keys = new Map<number, string>();
  for (const { index, id } of rows) {
    const own = id === undefined ? undefined : before.get(id);
    const vacant = kept.has(`row ${index}`) ? `new ${id ?? index}` : `row ${index}`;
    let key = own ?? vacant;
    // A list that is being read anew may show a record twice for a moment.
    while (used.has(key)) key += " again";
    used.add(key);
    keys.set(index, key);
  }
  return keys;
}
