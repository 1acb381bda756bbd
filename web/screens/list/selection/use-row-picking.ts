// Picks rows of the table by pointer and keyboard: a click on a row's box, with Shift the whole range; the row that has the
// focus, or all from the last one to it; the rows of a range of cells; the box of the head for everything that matches.
import type { MouseEvent } from "react";
import type { CellRange } from "../range/use-range.ts";
import type { PickedLines, Selection } from "./use-selection.ts";

export interface RowPicking {
  /** How much of the list is picked. */
  readonly picked: "all" | "some" | "none" | undefined;
  /** True when the event was one that picks. */
  onClick(event: MouseEvent): boolean;
  /** All rows of the cells where there is a range of them. */
  pick(row: number, cells: CellRange | undefined, range: boolean): void;
}

export function useRowPicking(selection: Selection | undefined, total: number, lines: PickedLines): RowPicking {
  const count = selection?.count ?? 0;
  return {
    picked: selection && (count === 0 ? "none" : count >= total ? "all" : "some"),
    onClick: (event) => {
      const target = event.target instanceof Element ? event.target : undefined;
      const cell = target?.closest("[data-select]");
      if (!selection || !cell) return false;
      const row = cell.closest<HTMLElement>("[data-row]")?.dataset.row;
      if (row !== undefined) selection.pick(Number(row), event.shiftKey, lines);
      else if (count >= total) selection.clear();
      else selection.everything();
      // A range of rows is no range of text.
      if (event.shiftKey) getSelection()?.removeAllRanges();
      return true;
    },
    pick: (row, cells, range) => {
      if (cells) selection?.pickBetween(cells.top, cells.bottom, lines);
      else if (row >= 0) selection?.pick(row, range, lines);
    },
  };
}
