// Which rows are in sight and where they stand: TanStack Virtual over a canvas that is scaled past 15 million pixels.
import { elementScroll, observeElementOffset, observeElementRect, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { LineSizes } from "./line-sizes.ts";
import { HEAD_HEIGHT, placeOf, scaleOf } from "./scale.ts";

export interface RowWindow {
  readonly rows: readonly { readonly index: number; readonly top: number }[];
  /** Of the rows in sight, without those drawn ahead. */
  readonly first: number;
  readonly last: number;
  readonly height: number;
  /** How many whole rows fit. */
  readonly fitting: number;
  reveal(index: number): void;
}

const AHEAD = 8;
/** Until somebody scrolls. */
const AHEAD_AT_FIRST = 4;

/** `kept` stays drawn wherever the list is scrolled to: the row that has the focus. */
export function useRowWindow(
  scroller: RefObject<HTMLDivElement | null>,
  sizes: LineSizes,
  kept: number,
  /** What stands above and below the rows, in the same window. */
  around = HEAD_HEIGHT,
): RowWindow {
  const { count, rowHeight } = sizes;
  // Read when it has changed: to ask while drawing would lay out the page each time.
  const [viewport, setViewport] = useState(600);
  const { height, factor } = scaleOf(sizes.whole, viewport - around);
  const measured = useRef(sizes);
  const scale = useRef(factor);
  scale.current = factor;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: sizes.heightOf,
    overscan: AHEAD,
    observeElementRect: (instance, report) => {
      const element = instance.scrollElement;
      const note = (): void => {
        if (element) setViewport(element.clientHeight);
      };
      note();
      // A bar to scroll by takes room of it, and leaves its outside as it is.
      const within = new ResizeObserver(note);
      if (element) within.observe(element);
      const end = observeElementRect(instance, report);
      return () => {
        within.disconnect();
        end?.();
      };
    },
    observeElementOffset: (instance, report) =>
      observeElementOffset(instance, (offset, isScrolling) => report(offset * scale.current, isScrolling)),
    scrollToFn: (offset, options, instance) => elementScroll(offset / scale.current, options, instance),
    rangeExtractor: ({ startIndex, endIndex }) => {
      const ahead = startIndex === 0 ? AHEAD_AT_FIRST : AHEAD;
      const [from, to] = [Math.max(0, startIndex - ahead), Math.min(count - 1, endIndex + ahead)];
      const indexes = Array.from({ length: to - from + 1 }, (_, step) => from + step);
      if (kept >= 0 && kept < from) indexes.unshift(kept);
      if (kept > to && kept < count) indexes.push(kept);
      return indexes;
    },
  });
  // What it has measured is of other lines.
  useLayoutEffect(() => {
    if (measured.current !== sizes) virtualizer.measure();
    measured.current = sizes;
  }, [sizes, virtualizer]);
  const offset = virtualizer.scrollOffset ?? 0;
  const range = virtualizer.range;
  return {
    rows: virtualizer.getVirtualItems().map(({ index, start }) => ({ index, top: placeOf(start, offset, factor) })),
    first: range?.startIndex ?? 0,
    last: range?.endIndex ?? Math.min(count - 1, 40),
    height,
    fitting: Math.max(1, Math.floor((viewport - around) / rowHeight)),
    reveal: (index) => {
      // The library would bound the way there by the scaled canvas.
      const element = scroller.current;
      if (element === null) return;
      const [top, bottom, from] = [sizes.offsetOf(index), sizes.offsetOf(index + 1), element.scrollTop * factor];
      const sight = element.clientHeight - around;
      if (top < from) element.scrollTop = top / factor;
      else if (bottom > from + sight) element.scrollTop = (bottom - sight) / factor;
    },
  };
}
