// How many columns of tiles there is room for.
import { type RefObject, useLayoutEffect, useRef, useState } from "react";

const columnsFor = (width: number): number => (width > 900 ? 3 : width > 560 ? 2 : 1);

export function useColumns(): readonly [RefObject<HTMLElement | null>, number] {
  const place = useRef<HTMLElement>(null);
  const [columns, setColumns] = useState(3);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const measure = (): void => setColumns(columnsFor(element.clientWidth));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return [place, columns];
}
