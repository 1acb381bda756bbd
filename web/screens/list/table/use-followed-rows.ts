// Keeps the focus, the cell that is edited and the range with their records when the rows of a list move: what others add,
// delete or change is there by itself.
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useLayoutEffect, useRef } from "react";
import { rowsKey } from "../../../queries.ts";
import type { CellEdit } from "../edit/use-cell-edit.ts";
import { indexAtHand, type RowsOf } from "../range/range-rows.ts";
import type { Ranging } from "../range/use-range.ts";
import { movedBy, whereNow } from "./followed-rows.ts";
import type { Roving } from "./use-roving.ts";
import type { RowWindow } from "./use-row-window.ts";

interface FollowedParts {
  readonly rowsOf: RowsOf;
  readonly idColumn: string;
  readonly table: RefObject<HTMLElement | null>;
  readonly shown: Pick<RowWindow, "first" | "last" | "rows">;
  readonly idAt: (row: number) => string | undefined;
  readonly roving: Roving;
  readonly edit: CellEdit;
  readonly ranging: Ranging;
}

interface Noted {
  /** Of another list nothing is followed. */
  readonly list: string;
  readonly ids: ReadonlyMap<number, string>;
  readonly hadFocus: boolean;
}

/** Gives where a record stands, as far as its row is at hand. */
export function useFollowedRows(parts: FollowedParts): (id: string) => number | undefined {
  const queryClient = useQueryClient();
  const { rowsOf, idAt, shown } = parts;
  // Among the rows in sight first: others may be older.
  const find = (id: string): number | undefined =>
    shown.rows.find(({ index }) => idAt(index) === id)?.index ?? indexAtHand(queryClient, rowsOf, id, parts.idColumn);
  const noted = useRef<Noted>({ list: "", ids: new Map(), hadFocus: false });
  // After every commit, and before it is seen.
  useLayoutEffect(() => {
    const list = JSON.stringify(rowsKey(rowsOf.choice));
    const hasFocus = parts.table.current?.contains(document.activeElement) ?? false;
    const { ids, hadFocus } = noted.current;
    const now = noted.current.list === list ? whereNow(ids, idAt, find) : new Map<number, number | undefined>();
    const moved = [...now].filter(([row, to]) => row !== to);
    // What is not found may come with rows that are on their way.
    const isLost = moved.some(([, to]) => to === undefined);
    if (isLost && queryClient.isFetching({ queryKey: ["list", rowsOf.recordTypeKey] }) > 0) return;
    noted.current = { list, ids: new Map(), hadFocus: hasFocus };
    if (moved.length > 0 && move(parts, now, hadFocus && !hasFocus)) return;
    noted.current = { list, ids: heldIds(parts), hadFocus: hasFocus };
  });
  return find;
}

/** True where something was moved. */
function move(
  { roving, edit, ranging }: FollowedParts,
  now: ReadonlyMap<number, number | undefined>,
  lostFocus: boolean,
): boolean {
  const { row, column } = roving.place;
  const [active, range] = [edit.open ?? edit.refused, ranging.range];
  let isMoved = false;
  const by = range && movedBy(now, range);
  if (range && by !== 0) {
    if (by === undefined) ranging.clear();
    else ranging.shift(by);
    isMoved = true;
  }
  if (active && now.has(active.place.row) && now.get(active.place.row) !== active.place.row) {
    edit.follow(now.get(active.place.row));
    isMoved = true;
  }
  const to = now.get(row);
  if (to !== undefined && to !== row) {
    // Its row has left the window, and the focus with it.
    if (lostFocus) roving.go({ row: to, column });
    else roving.settle({ row: to, column });
    isMoved = true;
  }
  return isMoved;
}

function heldIds({ idAt, shown, roving, edit, ranging }: FollowedParts): ReadonlyMap<number, string> {
  const ids = new Map<number, string>();
  const note = (row: number, id = idAt(row)): void => {
    if (row >= 0 && id !== undefined) ids.set(row, id);
  };
  const { range } = ranging;
  if (range) {
    note(range.top);
    note(range.bottom);
    for (let row = Math.max(range.top, shown.first); row <= Math.min(range.bottom, shown.last); row += 1) note(row);
  }
  note(roving.place.row);
  if (edit.refused) note(edit.refused.place.row);
  if (edit.open) note(edit.open.place.row, edit.open.id);
  return ids;
}
