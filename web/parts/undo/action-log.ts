// Notes one's own actions and undoes them, one after the other: by a plan, or by what the page that did it says itself.
// Where they are kept and how a plan is run is given.
import { isAway } from "../../query-client.ts";
import { type Action, became, readActions, undoneNext, withAction } from "./actions.ts";
import type { UndoPlan } from "./undo-plan.ts";

export interface Undoable {
  /** What was done, in a sentence. */
  readonly message: string;
  /** The record that it was done to. */
  readonly name?: string | undefined;
  /** A plan works after a reload too, a page's own way as long as it is open. Both may give the sentence to say of it. */
  readonly undo: UndoPlan | (() => Promise<unknown>);
  /** Shows it undone before it is. */
  readonly preview?: (() => void) | undefined;
  readonly after?: (() => void) | undefined;
}

export type Outcome =
  | { readonly kind: "undone"; readonly action: Action; readonly said: string | undefined }
  | { readonly kind: "refused"; readonly reason: string }
  /** It can be tried again. */
  | { readonly kind: "away" };

interface Parts {
  read(): string | null;
  write(text: string): void;
  run(plan: UndoPlan): Promise<string | undefined>;
}

export function createActionLog({ read: readText, write: writeText, run }: Parts) {
  const listeners = new Set<() => void>();
  /** Gone with the page. */
  const noted = new Map<string, Undoable>();
  let memory: { readonly text: string | null; readonly actions: readonly Action[] } = { text: null, actions: [] };
  /** What is being undone: the next one goes on from what it leaves. */
  let last: Promise<unknown> = Promise.resolve();

  const read = (): readonly Action[] => {
    const text = readText();
    if (text !== memory.text) memory = { text, actions: readActions(text) };
    return memory.actions;
  };
  const write = (actions: readonly Action[]): void => {
    const text = JSON.stringify(actions);
    writeText(text);
    memory = { text, actions };
    for (const listener of listeners) listener();
  };
  const canUndo = ({ id, plan }: Action): boolean => plan !== undefined || noted.has(id);

  const runAction = async ({ id, plan }: Action): Promise<string | undefined> => {
    const { undo, preview, after } = noted.get(id) ?? {};
    preview?.();
    const said = plan ? await run(plan) : typeof undo === "function" ? await undo() : undefined;
    after?.();
    return typeof said === "string" ? said : undefined;
  };

  return {
    read,
    canUndo,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    next: (): Action | undefined => undoneNext(read(), Date.now(), canUndo),
    note(undoable: Undoable): string {
      const { message, name, undo } = undoable;
      const id = crypto.randomUUID();
      noted.set(id, undoable);
      const plan = typeof undo === "function" ? undefined : undo;
      write(withAction(read(), { id, message, name, at: Date.now(), plan, state: "done" }));
      return id;
    },
    /** Undefined where there is nothing to undo. */
    async undo(id: string): Promise<Outcome | undefined> {
      const action = read().find((one) => one.id === id);
      if (action === undefined || action.state !== "done" || !canUndo(action)) return undefined;
      write(became(read(), id, "undoing"));
      const before = last;
      // A job can take minutes, and nothing waits for it.
      const running = action.plan?.kind === "job" ? runAction(action) : before.then(() => runAction(action));
      if (action.plan?.kind !== "job") last = running.catch(() => undefined);
      try {
        const said = await running;
        write(became(read(), id, "undone"));
        return { kind: "undone", action, said };
      } catch (error) {
        if (isAway(error)) {
          write(became(read(), id, "done"));
          return { kind: "away" };
        }
        const reason = error instanceof Error ? error.message : String(error);
        write(became(read(), id, "refused", reason));
        return { kind: "refused", reason };
      }
    },
  };
}
