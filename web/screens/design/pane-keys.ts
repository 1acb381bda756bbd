// A design is a list beside the sheet of what is chosen in it. By the keyboard, choosing leads into the sheet, and Escape back to the list.

const CHOICE = "button[aria-expanded]:not([aria-haspopup])";
const SHEET = "[data-sheet]";
const INPUT = "input:not([type=hidden], :disabled), textarea:not(:disabled)";

/** The ref of the element that holds both. Where the sheet stands below its line, the next Tab leads there anyway. */
export function paneKeys(panes: HTMLDivElement): () => void {
  const press = ({ detail, target }: MouseEvent): void => {
    // A click without a pointer: Enter or Space.
    const choice = detail === 0 && target instanceof Element ? target.closest(CHOICE) : null;
    if (choice === null || choice.closest(SHEET)) return;
    setTimeout(() => {
      if (choice.getAttribute("aria-expanded") === "true")
        panes.querySelector(SHEET)?.querySelector<HTMLElement>(INPUT)?.focus();
    });
  };
  const leave = ({ key, target, defaultPrevented }: KeyboardEvent): void => {
    if (key !== "Escape" || defaultPrevented || !(target instanceof Element)) return;
    // What is open in the sheet is closed first.
    if (!target.closest(SHEET) || target.getAttribute("aria-expanded") === "true") return;
    const choices = [...panes.querySelectorAll<HTMLElement>(CHOICE)].filter((one) => !one.closest(SHEET));
    choices.find((one) => one.getAttribute("aria-expanded") === "true")?.focus();
  };
  panes.addEventListener("click", press);
  panes.addEventListener("keydown", leave);
  return () => {
    panes.removeEventListener("click", press);
    panes.removeEventListener("keydown", leave);
  };
}
