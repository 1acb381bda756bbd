// Whether an input was left, for what is then said about it. While a mouse button or a finger is down, it is told only when that is up
// again: the words would move what is being pressed, and the press would meet something else.
import { useCallback, useEffect, useRef, useState } from "react";

let isPressed = false;
const ends = ["mouseup", "dragend"] as const;

function watchPresses(): void {
  document.addEventListener("mousedown", () => (isPressed = true), { capture: true });
  for (const end of ends) document.addEventListener(end, () => (isPressed = false), { capture: true });
}
if (typeof document !== "undefined") watchPresses();

/** Whether it was left, and what to call when it is. */
export function useLeft(): readonly [boolean, () => void] {
  const [isLeft, setLeft] = useState(false);
  const forget = useRef<() => void>(undefined);
  useEffect(() => () => forget.current?.(), []);
  const leave = useCallback((): void => {
    const tell = (): void => setLeft(true);
    if (!isPressed) {
      tell();
      return;
    }
    forget.current?.();
    // The click comes right after.
    const tellLater = (): void => void setTimeout(tell);
    for (const end of ends) document.addEventListener(end, tellLater, { once: true });
    forget.current = () => {
      for (const end of ends) document.removeEventListener(end, tellLater);
    };
  }, []);
  return [isLeft, leave];
}
