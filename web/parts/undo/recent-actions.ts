// One's own last actions, kept in this browser until one signs out. The toast, Ctrl+Z and the history are three ways to the
// same thing; what deletes records is asked about first.
import { useSyncExternalStore } from "react";
import { ownKey } from "../../session/own-key.ts";
import { createActionLog } from "./action-log.ts";
import type { Action } from "./actions.ts";
import { type JobUndo, runPlan, type UndoPlan } from "./undo-plan.ts";

interface Host {
  readonly undoJob: JobUndo;
  /** What is on the screen is asked for again, also after a refusal. */
  readonly refresh: (plan: UndoPlan) => void;
}

let host: Host | undefined;
/** The part of the page that is always there says how. */
export const hostUndo = (given: Host): void => {
  host = given;
};

/** Goes with the recent records when somebody signs out. */
const storageKey = (): string => ownKey("recent", "actions");

const log = createActionLog({
  read: () => localStorage.getItem(storageKey()),
  write: (text) => localStorage.setItem(storageKey(), text),
  run: (plan) =>
    runPlan(plan, (key, jobId) => (host ? host.undoJob(key, jobId) : Promise.reject(new Error(key)))).finally(() =>
      host?.refresh(plan),
    ),
});

export const { note: noteAction, undo: undoAction, canUndo: canUndoAction, next: nextUndo } = log;

export const useRecentActions = (): readonly Action[] => useSyncExternalStore(log.subscribe, log.read);

let asked: Action | undefined;
const askedListeners = new Set<() => void>();

const ask = (action: Action | undefined): void => {
  asked = action;
  for (const listener of askedListeners) listener();
};

/** True where somebody is asked first. */
export function asksFirst(id: string): boolean {
  const action = log.read().find((one) => one.id === id);
  if (action?.state !== "done" || action.plan?.kind !== "transition" || !action.plan.hasCreated) return false;
  ask(action);
  return true;
}

export const stopAsking = (): void => ask(undefined);

const subscribeAsked = (listener: () => void): (() => void) => {
  askedListeners.add(listener);
  return () => askedListeners.delete(listener);
};

/** What somebody is asked about before it is undone. */
export const useAskedUndo = (): Action | undefined => useSyncExternalStore(subscribeAsked, () => asked);
