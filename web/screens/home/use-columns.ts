// How many columns of tiles, and how many figures in a row, there is room for.
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

const LEAST_FIGURE = 210;

interface Columns {
  readonly tiles: number;
  readonly figures: number;
}

const columnsFor = (width: number): Columns => ({
  tiles: width > 900 ? 3 : width > 560 ? 2 : 1,
  figures: Math.max(2, Math.floor(width / LEAST_FIGURE)),
});

export function useColumns(): readonly [RefObject<HTMLElement | null>, Columns] {
  const place = useRef<HTMLElement>(null);
  const [columns, setColumns] = useState(() => columnsFor(window.innerWidth));
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const measure = (): void =>
      setColumns((before) => {
        const next = columnsFor(element.clientWidth);
        return next.tiles === before.tiles && next.figures === before.figures ? before : next;
      });
    // It tells the first width too, once the page is laid out and before it is painted: to ask for it here would lay it out within
    // the task that draws the whole page.
    const observer = new ResizeObserver(() => flushSync(measure));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [place, columns];
}
