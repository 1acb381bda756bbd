// A design is a list beside the sheet of what is chosen in it. By the keyboard, choosing or adding leads into the sheet, and Escape back to
// the list; the arrow keys lead from line to line. Where what was pressed goes with what it did, such as a button that removes a stage, the focus goes on beside it.

import { lineKeys } from "./line-keys.ts";

const CHOICE = "button[aria-expanded]:not([aria-haspopup])";
const SHEET = "[data-sheet]";
const INPUT = "input:not([type=hidden], :disabled), textarea:not(:disabled)";
const FOCUSABLE = `button:not(:disabled), a[href], ${INPUT}`;

/** The ref of the element that holds both. */
export function paneKeys(panes: HTMLDivElement): () => void {
  const choices = () => [...panes.querySelectorAll<HTMLElement>(CHOICE)].filter((one) => !one.closest(SHEET));
  const isOpen = (one: Element): boolean => one.getAttribute("aria-expanded") === "true";
  /** Beside the list, or below the line of what is chosen. */
  const inputOf = (open: HTMLElement) =>
    (panes.querySelector(SHEET) ?? open.closest("li"))?.querySelector<HTMLInputElement | HTMLTextAreaElement>(INPUT);

  /** To be called before what was pressed does anything. */
  const follow = (target: Element, isByKey: boolean): void => {
    const before = choices();
    const index = before.findIndex(isOpen);
    const isChoice = target.closest(CHOICE) !== null && target.closest(SHEET) === null;
    const around: Element[] = [];
    for (let one: Element | null = target; one && one !== panes; one = one.parentElement) around.push(one);
    setTimeout(() => {
      const now = choices();
      const open = now.find(isOpen);
      if (isChoice) {
        // Where the sheet stands below its line, the next Tab leads there anyway.
        if (isByKey && open && target.closest(CHOICE) === open)
          panes.querySelector(SHEET)?.querySelector<HTMLElement>(INPUT)?.focus();
        return;
      }
      // Something was added: whoever did goes on with its name.
      if (open && now.length > before.length && open !== before[index]) {
        const input = inputOf(open);
        input?.focus();
        input?.select();
        return;
      }
      if (document.activeElement !== document.body) return;
      const beside = around.find((one) => one.isConnected && one.querySelector(FOCUSABLE));
      const next = open
        ? beside?.querySelector<HTMLElement>(FOCUSABLE)
        : now[Math.min(Math.max(index, 0), now.length - 1)];
      (next ?? open ?? panes.querySelector<HTMLElement>(FOCUSABLE))?.focus();
    });
  };
  const press = ({ detail, target }: MouseEvent): void => {
    // A click without a pointer: Enter or Space.
    if (target instanceof Element) follow(target, detail === 0);
  };
  const key = ({ key: pressed, target, defaultPrevented }: KeyboardEvent): void => {
    if (!(target instanceof Element)) return;
    // Options of a list are chosen outside the design.
    if (pressed === "Enter" && target instanceof HTMLInputElement) follow(target, true);
    if (pressed !== "Escape" || defaultPrevented) return;
    // What is open in the sheet is closed first.
    if (!target.closest(SHEET) || target.getAttribute("aria-expanded") === "true") return;
    choices().find(isOpen)?.focus();
  };
  panes.addEventListener("click", press);
  panes.addEventListener("keydown", key);
  const leave = lineKeys(panes);
  return () => {
    leave();
    panes.removeEventListener("click", press);
    panes.removeEventListener("keydown", key);
  };
}
