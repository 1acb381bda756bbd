// The navigation as somebody arranges it, before it is saved: it outlives the page and a reload, in this tab. If somebody else saves one
// meanwhile, it comes with what it was made from.
import { ownKey } from "../../../session/own-key.ts";
import type { NavigationDraft } from "./navigation-draft.ts";

export interface HeldArrangement {
  readonly revision: string;
  /** As it was stored. */
  readonly base: NavigationDraft;
  readonly draft: NavigationDraft;
}

const key = (): string => ownKey("navigation");

export function heldArrangement(): HeldArrangement | undefined {
  const text = sessionStorage.getItem(key());
  if (text === null) return undefined;
  // Nothing else writes it.
  return JSON.parse(text) as HeldArrangement;
}

export const holdArrangement = (held: HeldArrangement): void => sessionStorage.setItem(key(), JSON.stringify(held));

export const forgetArrangement = (): void => sessionStorage.removeItem(key());
