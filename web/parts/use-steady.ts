// The same function in every drawing, which does what the last drawing said: parts that are given it need not be drawn again. For
// handlers only: it is never called while drawing.
import { useCallback, useInsertionEffect, useRef } from "react";

export function useSteady<Given extends unknown[], Result>(
  act: (...given: Given) => Result,
): (...given: Given) => Result {
  const last = useRef(act);
  useInsertionEffect(() => {
    last.current = act;
  });
  return useCallback((...given: Given) => last.current(...given), []);
}
