// Which dashboard is looked at: the one in the address, else the one that was chosen last in this browser, else the one that
// the service has for somebody who chose none.
import { useEffect } from "react";
import { FIRST_DASHBOARD } from "../../queries.ts";
import { ownKey } from "../../session/own-key.ts";

/** In the address: one's own, whatever was looked at last. */
export const OWN = "mine";

const storageKey = (): string => ownKey("dashboard");

/** Undefined for one's own. */
export function useChosenDashboard(asked: string | undefined): string | undefined {
  const chosen = asked ?? localStorage.getItem(storageKey()) ?? FIRST_DASHBOARD;
  useEffect(() => {
    if (chosen !== FIRST_DASHBOARD) localStorage.setItem(storageKey(), chosen);
  }, [chosen]);
  return chosen === OWN ? undefined : chosen;
}

/** It is gone, or not shared with this person any more. */
export const forgetDashboard = (): void => localStorage.removeItem(storageKey());
