// Columns by keyboard: Alt and an arrow widen the one that has the focus; with Shift they move it, and the focus stays with it.
import { type KeyboardEvent, useLayoutEffect, useRef } from "react";
import type { Column } from "../columns/columns.ts";
import type { ColumnActions } from "../columns/head-actions.ts";
import type { ColumnWidths } from "../columns/use-column-widths.ts";
import { placeOf } from "./places.ts";
import type { Place, Roving } from "./use-roving.ts";

/** By which a key widens a column. */
const KEY_STEP = 16;

interface Parts {
  readonly columns: readonly Column[];
  readonly widths: Pick<ColumnWidths, "keep" | "widthOf">;
  readonly actions: Pick<ColumnActions, "move"> | undefined;
  readonly roving: Roving;
}

/** Takes a key; false where it is none of these. */
export function useReshaping({ columns, widths, actions, roving }: Parts): (event: KeyboardEvent) => boolean {
  const moving = useRef<{ readonly key: string; readonly from: Place }>(undefined);
  // Until the column is where it goes, its place is another one's.
  useLayoutEffect(() => {
    if (moving.current === undefined) return;
    const { key, from } = moving.current;
    const column = columns.findIndex((one) => one.key === key);
    if (column === -1 || column === from.column) return;
    moving.current = undefined;
    roving.go({ row: from.row, column });
  });

  return (event) => {
    const from = placeOf(event.target) ?? roving.place;
    const column = columns[from.column];
    if (!event.altKey || column === undefined || !/^Arrow(Left|Right)$/.test(event.key)) {
      // The focus goes elsewhere.
      moving.current = undefined;
      return false;
    }
    event.preventDefault();
    const forward = getComputedStyle(event.currentTarget).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const later = event.key === forward;
    if (!event.shiftKey) {
      widths.keep(column, widths.widthOf(column) + (later ? KEY_STEP : -KEY_STEP));
      return true;
    }
    const next = from.column + (later ? 1 : -1);
    if (actions === undefined || columns[next] === undefined) return true;
    actions.move(column, columns[later ? from.column + 2 : next]);
    moving.current = { key: column.key, from };
    return true;
  };
}
