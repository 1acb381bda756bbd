// The records that this person opened or chose last in this browser, newest first: for pickers and the command palette.
// Kept per user until they log out; names only, never values.
import { useSyncExternalStore } from "react";
import type { RecordTypeKey } from "../../client/transport/address.ts";
import { ownKey } from "../session/own-key.ts";

export interface RecentRecord {
  readonly key: RecordTypeKey;
  readonly id: string;
  readonly name: string;
}

const MOST = 40;
const listeners = new Set<() => void>();
const storageKey = (): string => ownKey("recent");

let memory: { readonly text: string | null; readonly records: readonly RecentRecord[] } = { text: null, records: [] };

function read(): readonly RecentRecord[] {
  const text = localStorage.getItem(storageKey());
  if (text !== memory.text) {
    try {
      // Written below alone.
      memory = { text, records: JSON.parse(text ?? "[]") as readonly RecentRecord[] };
    } catch {
      memory = { text, records: [] };
    }
  }
  return memory.records;
}

export function noteRecent({ key, id, name }: RecentRecord): void {
  const others = read().filter((one) => one.key !== key || one.id !== id);
  localStorage.setItem(storageKey(), JSON.stringify([{ key, id, name }, ...others].slice(0, MOST)));
  for (const listener of listeners) listener();
}

/** One that is gone, or no longer open to this person. */
export function forgetRecent(key: RecordTypeKey, id: string): void {
  const left = read().filter((one) => one.key !== key || one.id !== id);
  localStorage.setItem(storageKey(), JSON.stringify(left));
  for (const listener of listeners) listener();
}

/** All of a type that is gone. */
export function forgetRecentType(key: RecordTypeKey): void {
  localStorage.setItem(storageKey(), JSON.stringify(read().filter((one) => one.key !== key)));
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useRecentRecords = (): readonly RecentRecord[] => useSyncExternalStore(subscribe, read);
