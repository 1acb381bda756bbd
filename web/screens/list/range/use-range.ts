// A range of cells: from where it began to where the focus is. Shift with a key that moves, Shift and a click, or pulling
// the pointer over cells make one; any other move ends it.
import { type MouseEvent, useRef, useState } from "react";
import type { Place } from "../table/use-roving.ts";

export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export interface Ranging {
  /** Undefined where only one cell is meant. */
  readonly range: CellRange | undefined;
  extend(from: Place, to: Place): void;
  /** Another range, wherever the focus is. */
  take(from: Place, to: Place): void;
  /** By so many rows, with the records in it. */
  shift(by: number): void;
  clear(): void;
  /** Where the focus came to stand: anywhere but at the end of the range ends it. */
  onFocus(place: Place): void;
  onMouseDown(event: MouseEvent, from: Place): void;
  /** Gives where the range now ends, when the pointer is pulled. */
  onMouseOver(event: MouseEvent): Place | undefined;
}

interface Held {
  readonly from: Place;
  readonly to: Place;
}

export const sizeOf = ({ top, bottom, left, right }: CellRange) => ({
  rows: bottom - top + 1,
  columns: right - left + 1,
});

export function useRange(placeOf: (target: EventTarget) => Place | undefined): Ranging {
  const [held, setHeld] = useState<Held>();
  const pulled = useRef<Place>(undefined);
  const extend = (from: Place, to: Place): void => {
    setHeld(from.row < 0 || to.row < 0 ? undefined : { from: held?.from ?? from, to });
  };
  return {
    range: held && rangeOf(held),
    extend,
    take: (from, to) => setHeld({ from, to }),
    shift: (by) => setHeld(held && { from: below(held.from, by), to: below(held.to, by) }),
    clear: () => setHeld(undefined),
    onFocus: (place) => {
      if (held && (place.row !== held.to.row || place.column !== held.to.column)) setHeld(undefined);
    },
    onMouseDown: (event, from) => {
      pulled.current = undefined;
      const place = cellAt(event, placeOf);
      if (place === undefined || event.button !== 0) return;
      if (!event.shiftKey) {
        pulled.current = place;
        return;
      }
      // A range of cells is no range of text.
      event.preventDefault();
      extend(from, place);
    },
    onMouseOver: (event) => {
      const [from, to] = [pulled.current, cellAt(event, placeOf)];
      if (from === undefined || to === undefined || (event.buttons & 1) === 0) return undefined;
      if (held === undefined && from.row === to.row && from.column === to.column) return undefined;
      getSelection()?.removeAllRanges();
      setHeld({ from, to });
      return to;
    },
  };
}

const below = ({ row, column }: Place, by: number): Place => ({ row: row + by, column });

const rangeOf = ({ from, to }: Held): CellRange | undefined =>
  from.row === to.row && from.column === to.column
    ? undefined
    : {
        top: Math.min(from.row, to.row),
        bottom: Math.max(from.row, to.row),
        left: Math.min(from.column, to.column),
        right: Math.max(from.column, to.column),
      };

function cellAt(event: MouseEvent, placeOf: (target: EventTarget) => Place | undefined): Place | undefined {
  const isInput = event.target instanceof Element && event.target.closest("input, textarea, button, select");
  const place = isInput ? undefined : placeOf(event.target);
  return place && place.row >= 0 ? place : undefined;
}
