// How many columns of tiles, and how many figures in a row, there is room for.
import { type RefObject, useLayoutEffect, useRef, useState } from "react";

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
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return [place, columns];
}
