// Translations that are not saved yet. They outlive the screen, a reload and an ended session, in this tab, for who typed them.
import { useSyncExternalStore } from "react";
import { ownKey } from "../../../session/own-key.ts";
import { type Drafts, readDrafts, writeDrafts } from "./translation-drafts.ts";

/** What was read last, and of whom. */
let known: { readonly key: string; readonly drafts: Drafts } | undefined;
const listeners = new Set<() => void>();

export function heldDrafts(): Drafts {
  const key = ownKey("translations");
  if (known?.key !== key) known = { key, drafts: readDrafts(sessionStorage.getItem(key)) };
  return known.drafts;
}

export function holdDrafts(drafts: Drafts): void {
  const key = ownKey("translations");
  known = { key, drafts };
  if (drafts.size === 0) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, writeDrafts(drafts));
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useHeldDrafts = (): Drafts => useSyncExternalStore(subscribe, heldDrafts);
