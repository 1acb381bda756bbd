// Gives the focus back to where it was when a dialog goes. The library does so by itself only for dialogs that were on the
// page before they opened; those that are fetched when they are first asked for, or made for one use, were not.
import { type RefObject, useEffect, useLayoutEffect } from "react";

export function useReturnFocus(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    return () => {
      setTimeout(() => {
        const now = document.activeElement;
        const isLost = now === null || now === document.body || now.closest("[role=dialog]") !== null;
        if (!isLost) return;
        const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
        if (isThere) before.focus({ preventScroll: true });
        else focusHeading();
      });
    };
  }, [isOpen]);
}

/** For a part of the page that goes by itself, such as a notice whose reason is gone: who was in it goes on at the page's heading. `orIsLost`:
 *  also who is nowhere, as a button that was pressed there has lost the focus while it worked. */
export function useFocusOnLeave(part: RefObject<HTMLElement | null>, orIsLost = false): void {
  useLayoutEffect(() => {
    const element = part.current;
    return () => {
      const now = document.activeElement;
      if (element?.contains(now) || (orIsLost && now === document.body)) focusHeading();
    };
  }, [part, orIsLost]);
}

function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>("h1");
  if (heading) heading.tabIndex = -1;
  heading?.focus({ preventScroll: true });
}
