// Keeps one's own last actions in this browser until one signs out, and undoes them: while the page that did something is open
// by what it says itself, afterwards by its plan. The toast, Ctrl+Z and the history are three ways to the same thing.
import { useSyncExternalStore } from "react";
import { ownKey } from "../../session/own-key.ts";
import { type Action, became, readActions, undoneNext, withAction } from "./actions.ts";
import { runPlan, type UndoPlan } from "./undo-plan.ts";

/** Goes with the recent records when somebody signs out. */
const storageKey = (): string => ownKey("recent", "actions");

const listeners = new Set<() => void>();
/** What the page that did it says itself; gone with the page. */
const ways = new Map<string, () => Promise<unknown>>();
/** Told after a plan has run: what is on the screen is asked for again. */
let onUndone: (plan: UndoPlan) => void = () => undefined;

let memory: { readonly text: string | null; readonly actions: readonly Action[] } = { text: null, actions: [] };

function read(): readonly Action[] {
  const text = localStorage.getItem(storageKey());
  if (text !== memory.text) memory = { text, actions: readActions(text) };
  return memory.actions;
}

function write(actions: readonly Action[]): void {
  const text = JSON.stringify(actions);
  localStorage.setItem(storageKey(), text);
  memory = { text, actions };
  for (const listener of listeners) listener();
}

export function noteAction(message: string, undo: () => Promise<unknown>, plan: UndoPlan | undefined): string {
  const id = crypto.randomUUID();
  ways.set(id, undo);
  write(withAction(read(), { id, message, at: Date.now(), plan, state: "done" }));
  return id;
}

export const canUndoAction = ({ id, plan }: Action): boolean => ways.has(id) || plan !== undefined;

/** Gives the reason where it was refused. */
export async function undoAction(id: string): Promise<string | undefined> {
  const action = read().find((one) => one.id === id);
  if (action === undefined || action.state !== "done" || !canUndoAction(action)) return undefined;
  write(became(read(), id, "undoing"));
  try {
    const way = ways.get(id);
    if (way) await way();
    else if (action.plan) {
      await runPlan(action.plan);
      onUndone(action.plan);
    }
    write(became(read(), id, "undone"));
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    write(became(read(), id, "refused", reason));
    return reason;
  }
}

export const afterUndo = (listener: typeof onUndone): void => {
  onUndone = listener;
};

export const nextUndo = (): Action | undefined => undoneNext(read(), Date.now(), canUndoAction);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useRecentActions = (): readonly Action[] => useSyncExternalStore(subscribe, read);
