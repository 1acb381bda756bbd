// Picks rows of the table by pointer and keyboard: a click on a row's box, with Shift the whole range; the row that has the
// focus, or all from the last one to it; the rows of a range of cells; the box of the head for the rows in sight.
import type { MouseEvent } from "react";
import type { CellRange } from "../range/use-range.ts";
import type { RowWindow } from "../table/use-row-window.ts";
import type { Selection } from "./use-selection.ts";

export interface RowPicking {
  readonly inSight: "all" | "some" | "none" | undefined;
  /** True when the event was one that picks. */
  onClick(event: MouseEvent): boolean;
  /** All rows of the cells where there is a range of them. */
  pick(row: number, cells: CellRange | undefined, range: boolean): void;
}

export function useRowPicking(
  selection: Selection | undefined,
  shown: Pick<RowWindow, "first" | "last">,
  idAt: (index: number) => string | undefined,
): RowPicking {
  const ids: string[] = [];
  for (let index = shown.first; index <= shown.last; index += 1) {
    const id = idAt(index);
    if (id !== undefined) ids.push(id);
  }
  const count = selection ? ids.filter((id) => selection.has(id)).length : 0;
  return {
    inSight: selection && (count === 0 ? "none" : count === ids.length ? "all" : "some"),
    onClick: (event) => {
      const target = event.target instanceof Element ? event.target : undefined;
      const cell = target?.closest("[data-select]");
      if (!selection || !cell) return false;
      const row = cell.closest<HTMLElement>("[data-row]")?.dataset.row;
      if (row === undefined) selection.pickAll(ids);
      else selection.pick(Number(row), event.shiftKey, idAt);
      // A range of rows is no range of text.
      if (event.shiftKey) getSelection()?.removeAllRanges();
      return true;
    },
    pick: (row, cells, range) => {
      if (cells) selection?.pickBetween(cells.top, cells.bottom, idAt);
      else if (row >= 0) selection?.pick(row, range, idAt);
    },
  };
}
