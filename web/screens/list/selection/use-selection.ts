// Which rows of a list are selected: those that were picked, also across pages, or everything that the list shows but for
// what was taken off. Rows that are not here are asked for. Another list (view, filter, search) is another selection; another
// order or look is not.
import { useEffect, useRef, useState } from "react";
import type { ListChoice, RowIds } from "../../../../client/lists/lists.ts";
import { MOST_PICKED, type Picked } from "../../../../client/records/bulk.ts";

/** The lines of the table, as far as it takes to pick them. */
export interface PickedLines {
  /** Empty where the line is no row, undefined where it is not here yet. */
  idAt(index: number): string | undefined;
  readIds(first: number, last: number, signal: AbortSignal): Promise<RowIds>;
}

export interface Selection {
  readonly count: number;
  /** How many rows are being looked up; undefined where none are. */
  readonly awaited: number | undefined;
  /** What is sent: which records. */
  readonly picked: Picked;
  has(id: string): boolean;
  /** One row, or with `range` all from the last one that was picked; `lines` knows the rows that are here. */
  pick(index: number, range: boolean, lines: PickedLines): void;
  /** All rows from one to another. */
  pickBetween(first: number, last: number, lines: PickedLines): void;
  /** Everything that the list shows, also what was never in sight. */
  everything(): void;
  clear(): void;
}

/** `ids` are the picked ones, or with `isAll` those that were taken off. */
type Held = { readonly ids: ReadonlySet<string>; readonly isAll: boolean };

const nothing: Held = { ids: new Set(), isAll: false };

const isIn = ({ ids, isAll }: Held, id: string): boolean => ids.has(id) !== isAll;

function put({ ids, isAll }: Held, changed: readonly string[], selects: boolean): Held {
  const next = new Set(ids);
  for (const id of changed) {
    if (selects !== isAll) next.add(id);
    else next.delete(id);
  }
  return { ids: next, isAll };
}

export interface SelectionParts {
  readonly choice: ListChoice;
  /** What the list is of, in one spelling. */
  readonly rows: string;
  readonly total: number;
  /** More than can be picked one by one. */
  readonly onTooMany: () => void;
  /** The rows have changed meanwhile, or could not be asked for: nothing was picked. */
  readonly onFailed: (error?: Error) => void;
}

interface Row {
  readonly index: number;
  readonly id: string | undefined;
}

export function useSelection({ choice, rows, total, onTooMany, onFailed }: SelectionParts): Selection {
  const [held, setHeld] = useState(nothing);
  const [awaited, setAwaited] = useState<number>();
  const anchor = useRef<Row>(undefined);
  const asking = useRef<AbortController>(undefined);
  const stopAsking = (): void => {
    asking.current?.abort();
    asking.current = undefined;
    setAwaited(undefined);
  };
  const begin = (next: Held): void => {
    stopAsking();
    anchor.current = undefined;
    setHeld(next);
  };
  const list = JSON.stringify([choice.view, choice.search, rows]);
  const order = JSON.stringify([choice.sort, choice.dir]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the other list that ends the selection
  useEffect(() => begin(nothing), [list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another order other rows stand between
  useEffect(() => {
    stopAsking();
    anchor.current = undefined;
  }, [order]);
  useEffect(() => () => asking.current?.abort(), []);

  const add = (ids: readonly string[]): boolean => {
    const rows = ids.filter((id) => id !== "");
    const next = put(held, rows, true);
    const isFew = next.isAll || next.ids.size <= MOST_PICKED;
    if (isFew) setHeld(next);
    else onTooMany();
    return isFew;
  };

  /** Both ends are told by their ids where those are known: the list may have changed since it was drawn. */
  const ask = async (from: Row, to: Row, lines: PickedLines): Promise<void> => {
    const [first, last] = [Math.min(from.index, to.index), Math.max(from.index, to.index)];
    const control = new AbortController();
    asking.current = control;
    setAwaited(last - first + 1);
    try {
      const { start, ids } = await lines.readIds(first, last, control.signal);
      const ends = [from, to].map(({ index, id }) => (id === undefined || id === "" ? index - start : ids.indexOf(id)));
      const [top, bottom] = [Math.min(...ends), Math.max(...ends)];
      if (top < 0 || bottom >= ids.length) onFailed();
      else if (add(ids.slice(top, bottom + 1))) anchor.current = to;
    } catch (error) {
      if (!control.signal.aborted) onFailed(error instanceof Error ? error : undefined);
    } finally {
      if (asking.current === control) stopAsking();
    }
  };

  const take = (from: Row, to: Row, lines: PickedLines): void => {
    const { idAt } = lines;
    stopAsking();
    const [first, last] = [Math.min(from.index, to.index), Math.max(from.index, to.index)];
    if (last - first >= MOST_PICKED) {
      onTooMany();
      return;
    }
    const here: string[] = [];
    for (let index = first; index <= last; index += 1) {
      const id = idAt(index);
      if (id !== undefined) here.push(id);
    }
    const isWhole = here.length === last - first + 1 && idAt(from.index) === from.id;
    if (!isWhole) void ask(from, to, lines);
    else if (add(here)) anchor.current = to;
  };

  return {
    count: held.isAll ? total - held.ids.size : held.ids.size,
    awaited,
    picked: held.isAll ? { allOf: choice, except: [...held.ids] } : { ids: [...held.ids] },
    has: (id) => isIn(held, id),
    pick: (index, range, lines) => {
      const row = { index, id: lines.idAt(index) };
      if (row.id === "") return;
      if (range || row.id === undefined || !isIn(held, row.id)) {
        take((range ? anchor.current : undefined) ?? row, row, lines);
        return;
      }
      stopAsking();
      anchor.current = row;
      setHeld(put(held, [row.id], false));
    },
    pickBetween: (first, last, lines) =>
      take({ index: first, id: lines.idAt(first) }, { index: last, id: lines.idAt(last) }, lines),
    everything: () => begin({ ids: new Set(), isAll: true }),
    clear: () => begin(nothing),
  };
}
