// Whoever saves by the keyboard goes on where they were: a saved draft is put in place of the old one, and what had the focus is
// made anew. It is found again by what it is called.
import { type FocusEvent, useEffect, useRef } from "react";

function nameOf(element: Element): string {
  const labels = "labels" in element && element.labels instanceof NodeList ? element.labels : [];
  const [label] = labels;
  return label?.textContent || element.getAttribute("aria-label") || element.textContent || "";
}

/** For the element around what is made anew with every `revision`. */
export function useKeptFocus(revision: string | undefined) {
  const ref = useRef<HTMLDivElement>(null);
  const last = useRef("");
  const known = useRef(revision);
  const isLost = useRef(false);
  // After every commit: the field that was chosen may come later than the draft.
  useEffect(() => {
    const isNowhere = document.activeElement === document.body;
    if (known.current !== revision && known.current !== undefined) isLost.current = isNowhere;
    known.current = revision;
    if (!isLost.current) return;
    const all = [...(ref.current?.querySelectorAll<HTMLElement>("input, textarea, button") ?? [])];
    const again = isNowhere ? all.find((one) => nameOf(one) === last.current) : undefined;
    again?.focus({ preventScroll: true });
    isLost.current = isNowhere && again === undefined;
  });
  return {
    ref,
    onFocus: ({ target }: FocusEvent): void => {
      last.current = nameOf(target);
    },
  };
}
