// Moving through a table by keyboard: one cell is the tab stop, arrows move it, and the focus follows.
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { RowWindow } from "./use-row-window.ts";

/** Row -1 is the head. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

export interface RovingParts {
  readonly table: RefObject<HTMLDivElement | null>;
  readonly rows: number;
  readonly columns: number;
  /** The window onto the rows, which is opened after this: it keeps the row that has the focus. */
  readonly shown: RefObject<Pick<RowWindow, "fitting" | "reveal"> | undefined>;
}

export interface Roving {
  readonly place: Place;
  /** Moves the tab stop without taking the focus. */
  settle(place: Place): void;
  /** Moves the tab stop and the focus. */
  go(place: Place): Place;
  /** Where the key has moved to; undefined when it is not one that moves. */
  onKey(event: KeyboardEvent): Place | undefined;
}

export function useRoving({ table, rows, columns, shown }: RovingParts): Roving {
  const [wanted, setWanted] = useState<Place>({ row: 0, column: 0 });
  const follow = useRef(false);
  const place = {
    row: Math.min(wanted.row, rows - 1),
    column: Math.max(0, Math.min(wanted.column, columns - 1)),
  };

  // With the commit that moves the place, and no later: an effect of an earlier one would take the focus where it was.
  useLayoutEffect(() => {
    if (!follow.current) return;
    const find = (row: number) => table.current?.querySelector<HTMLElement>(`[data-place="${row}:${place.column}"]`);
    // The head is always in sight: showing its cell brings the column into sight, and moves no row. A pinned one is there.
    const header = find(-1)?.closest("[role=columnheader]");
    if (header && getComputedStyle(header).position !== "sticky") {
      header.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    const cell = find(place.row);
    if (!cell) return;
    follow.current = false;
    cell.focus({ preventScroll: true });
  });

  const go = ({ row, column }: Place): Place => {
    follow.current = true;
    const next = {
      row: Math.max(-1, Math.min(row, rows - 1)),
      column: Math.max(0, Math.min(column, columns - 1)),
    };
    if (next.row >= 0) shown.current?.reveal(next.row);
    setWanted(next);
    return next;
  };

  const onKey = (event: KeyboardEvent): Place | undefined => {
    if (event.altKey || event.metaKey) return undefined;
    const { row, column } = place;
    const far = event.ctrlKey;
    const fitting = shown.current?.fitting ?? 1;
    const forward = getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1;
    const moves: Readonly<Record<string, Place>> = {
      ArrowDown: { row: far ? rows - 1 : row + 1, column },
      ArrowUp: { row: far ? 0 : row - 1, column },
      ArrowRight: { row, column: far ? (forward > 0 ? columns - 1 : 0) : column + forward },
      ArrowLeft: { row, column: far ? (forward > 0 ? 0 : columns - 1) : column - forward },
      Home: { row: far ? 0 : row, column: 0 },
      End: { row: far ? rows - 1 : row, column: columns - 1 },
      PageDown: { row: Math.max(0, row) + fitting, column },
      PageUp: { row: Math.max(0, row - fitting), column },
    };
    const next = moves[event.key];
    if (next === undefined) return undefined;
    event.preventDefault();
    return go(next);
  };

  return { place, settle: setWanted, go, onKey };
}
