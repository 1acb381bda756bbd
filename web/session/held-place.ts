// Says whether something is typed on this page that is not saved yet: then a session that ends is taken up again on the
// spot, instead of leading away to the login.
import { useEffect } from "react";

let held = 0;

export const isPlaceHeld = (): boolean => held > 0;

/** Holds the place while it is true and the component is on the screen. */
export function useHeldPlace(isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return;
    held += 1;
    return () => {
      held -= 1;
    };
  }, [isHeld]);
}
