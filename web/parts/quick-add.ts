// Asks for a new record in a dialog, from anywhere; the frame shows it (shell.tsx) on top of what is there.
import { useSyncExternalStore } from "react";
import type { FoundRecord, WireValue } from "../../client/records/records.ts";
import type { RecordTypeKey } from "../../client/transport/address.ts";

export interface QuickAdd {
  readonly recordTypeKey: RecordTypeKey;
  /** Values by field that it starts with; `text` is what a reference is called. */
  readonly prefill?: Readonly<Record<string, { readonly value: WireValue; readonly text?: string }>>;
  readonly onAdded?: (record: FoundRecord) => void;
}

let asked: QuickAdd | undefined;
const listeners = new Set<() => void>();

function become(next: QuickAdd | undefined): void {
  asked = next;
  for (const listener of listeners) listener();
}

export const askQuickAdd = (request: QuickAdd): void => become(request);

export const closeQuickAdd = (): void => become(undefined);

/** What nobody finished is closed with the frame that shows it; what was typed is kept as a draft. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    asked = undefined;
  };
}

export const useQuickAdd = (): QuickAdd | undefined => useSyncExternalStore(subscribe, () => asked);
