// For a notice that somebody must not miss: it is brought into sight and takes the focus, once for everything it is about. At once, without
// a motion.
import { type RefObject, useEffect, useRef } from "react";

/** `isElsewhere`: something else takes the focus. */
export function useShownNotice(about: unknown, isElsewhere = false): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, not for every change of what it says
  useEffect(() => {
    if (isElsewhere) return;
    // Taller than the screen, it is read from its beginning.
    const isTall = (place.current?.offsetHeight ?? 0) > window.innerHeight / 2;
    place.current?.scrollIntoView({ block: isTall ? "start" : "center", behavior: "instant" });
    place.current?.focus({ preventScroll: true });
  }, [about]);
  return place;
}
