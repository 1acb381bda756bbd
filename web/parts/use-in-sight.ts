// Whether a part has been in sight, or nearly so, since it is there. What is never looked at is fetched once the page has stood for a
// while, and before it is put on paper: a picture of the whole page shows all of it.
import { type RefObject, useEffect, useState } from "react";
import { usePrinting } from "./use-printing.ts";

const NEAR = "32px";
const LATER_MS = 4_000;

export function useInSight(part: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  const isPrinting = usePrinting();
  useEffect(() => {
    if (isSeen || part.current === null) return;
    const see = (): void => setSeen(true);
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && see(), { rootMargin: NEAR });
    observer.observe(part.current);
    const later = setTimeout(see, LATER_MS);
    return () => {
      observer.disconnect();
      clearTimeout(later);
    };
  }, [isSeen, part]);
  return isSeen || isPrinting;
}
