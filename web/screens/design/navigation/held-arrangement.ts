// The navigation as somebody arranges it, before it is saved: it outlives the page and a reload, in this tab, as long as nobody else saved one.
import { ownKey } from "../../../session/own-key.ts";
import type { NavigationDraft } from "./navigation-draft.ts";

interface Held {
  readonly revision: string;
  readonly draft: NavigationDraft;
}

const key = (): string => ownKey("navigation");

export function heldArrangement(revision: string): NavigationDraft | undefined {
  const text = sessionStorage.getItem(key());
  if (text === null) return undefined;
  // Nothing else writes it.
  const held = JSON.parse(text) as Held;
  return held.revision === revision ? held.draft : undefined;
}

export const holdArrangement = (held: Held): void => sessionStorage.setItem(key(), JSON.stringify(held));

export const forgetArrangement = (): void => sessionStorage.removeItem(key());
