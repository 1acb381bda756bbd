// One's own last actions, newest first, and what became of undoing each. Takes them as values and gives values; kept by
// action-log.ts.
import type { UndoPlan } from "./undo-plan.ts";

export interface Action {
  readonly id: string;
  /** What was done, in a sentence. */
  readonly message: string;
  /** The record that it was done to. */
  readonly name?: string | undefined;
  readonly at: number;
  /** Undefined where it can be undone only while the page that did it is open. */
  readonly plan?: UndoPlan | undefined;
  readonly state: "done" | "undoing" | "undone" | "refused";
  /** Why it could not be undone. */
  readonly reason?: string | undefined;
}

/** Among others: with the record, unless the sentence has it. */
export const titleOf = ({ message, name }: Action): string =>
  name === undefined || name === "" || message.includes(name) ? message : `${message} · ${name}`;

const MOST = 30;
/** What was done long ago is undone from the history, never by a key that somebody pressed by chance. */
const KEY_MS = 60 * 60_000;

export const withAction = (actions: readonly Action[], action: Action): readonly Action[] =>
  [action, ...actions].slice(0, MOST);

export const became = (
  actions: readonly Action[],
  id: string,
  state: Action["state"],
  reason?: string,
): readonly Action[] => actions.map((one) => (one.id === id ? { ...one, state, reason } : one));

/** The one that Ctrl+Z undoes; `canRun`: whether there is still a way. */
export const undoneNext = (
  actions: readonly Action[],
  now: number,
  canRun: (action: Action) => boolean,
): Action | undefined =>
  actions.find((action) => action.state === "done" && now - action.at < KEY_MS && canRun(action));

/** What a browser kept: what was under way then is not any more. */
export function readActions(text: string | null): readonly Action[] {
  try {
    const parsed: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(parsed)) return [];
    // Written by action-log.ts alone.
    return (parsed as Action[]).map((one) => (one.state === "undoing" ? { ...one, state: "done" } : one));
  } catch {
    return [];
  }
}
