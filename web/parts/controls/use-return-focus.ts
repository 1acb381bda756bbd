// Gives the focus back to where it was when a dialog goes. The library does so by itself only for dialogs that were on the
// page before they opened; those that are fetched when they are first asked for, or made for one use, were not.
import { useEffect } from "react";

export function useReturnFocus(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    return () => {
      setTimeout(() => {
        const now = document.activeElement;
        const isLost = now === null || now === document.body || now.closest("[role=dialog]") !== null;
        if (!isLost) return;
        const heading = document.querySelector<HTMLElement>("h1");
        const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
        if (!isThere && heading) heading.tabIndex = -1;
        (isThere ? before : heading)?.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);
}
