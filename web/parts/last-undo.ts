// What was done last and can still be taken back: for as long as its toast is on the screen, by the keyboard too.
import { useSyncExternalStore } from "react";

export interface LastUndo {
  /** What was done. */
  readonly message: string;
  readonly run: () => void;
}

let undos: readonly LastUndo[] = [];
const listeners = new Set<() => void>();

function become(next: readonly LastUndo[]): void {
  undos = next;
  for (const listener of listeners) listener();
}

export const offerUndo = (undo: LastUndo): void => become([...undos, undo]);

export const withdrawUndo = (undo: LastUndo): void => become(undos.filter((one) => one !== undo));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useLastUndo = (): LastUndo | undefined => useSyncExternalStore(subscribe, () => undos.at(-1));
