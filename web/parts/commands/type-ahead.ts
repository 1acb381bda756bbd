// Keeps what is typed between the key that opens an input and the moment that input is there: until then a text box out of
// sight has the focus, so that typing, pasting and input methods work as ever, and no key reaches a shortcut or the page.
// The next input that takes the focus is given all of it, in order: a text field as text, any other as keys.

type Typed = { readonly text: string } | { readonly key: string; readonly shiftKey: boolean };

/** What was asked for never came: the keyboard is free again. */
const PATIENCE_MS = 10_000;
/** What was fetched is there, or failed: its input takes the focus about now. */
const SHORT_PATIENCE_MS = 2_000;
const MODIFIERS = /^(?:Shift|Control|Alt|Meta)$/;
const EDITING = /^(?:Backspace|Delete)$/;
/** Keys that mean something to the input that is to come, not to a line of text. */
const MEANT_FOR_IT = /^(?:Enter|Tab|Escape|Arrow(?:Up|Down)|Page(?:Up|Down)|F\d+)$/;

let box: HTMLInputElement | undefined;
/** What had the focus before; undefined while nothing is caught. */
let before: Element | undefined;
/** What had it when the input was asked for: a dialog that takes the focus before its input does is gone when it gives it back. */
let opener: Element | undefined;
let isComposing = false;
let typed: Typed[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let waiting: (() => void)[] = [];

const isCatching = (): boolean => before !== undefined;

function isTextField(target: EventTarget | null): target is HTMLElement {
  if (!(target instanceof HTMLElement) || target === box) return false;
  if (target instanceof HTMLTextAreaElement) return !target.readOnly && !target.disabled;
  if (target instanceof HTMLInputElement) return target.selectionStart !== null && !target.readOnly && !target.disabled;
  return target.isContentEditable;
}

/** Inputs that are chosen in rather than typed in: boxes to tick, lists, stars, options that are pressed. */
const CHOSEN_IN =
  "input:not(:disabled), select:not(:disabled), [role=radio], [role=checkbox], [role=dialog] [aria-pressed]";

const isInput = (target: EventTarget | null): boolean =>
  isTextField(target) || (target instanceof HTMLElement && target !== box && target.matches(CHOSEN_IN));

/** From here on, what is typed waits for the input that is being opened. */
export function catchTyping(label: string): void {
  const active = document.activeElement;
  if (isCatching()) return;
  box ??= makeBox();
  box.setAttribute("aria-label", label);
  box.removeAttribute("aria-hidden");
  before = active ?? document.body;
  opener = before;
  timer = setTimeout(releaseTyping, PATIENCE_MS);
  box.focus({ preventScroll: true });
}

/** It does not take long any more. */
export function hurryTyping(): void {
  if (!isCatching()) return;
  clearTimeout(timer);
  timer = setTimeout(releaseTyping, SHORT_PATIENCE_MS);
}

/** Runs once nothing is half-composed: a moved focus would cut a composition short. */
export function whenComposed(run: () => void): void {
  if (isComposing) waiting.push(run);
  else run();
}

function makeBox(): HTMLInputElement {
  const made = document.createElement("input");
  made.className = "visually-hidden";
  // At the end of the page it would make the page longer than the window.
  made.style.cssText = "position: fixed; top: 0";
  made.tabIndex = -1;
  made.autocomplete = "off";
  made.addEventListener("keydown", onKeyDown);
  made.addEventListener("compositionstart", () => {
    isComposing = true;
  });
  made.addEventListener("compositionend", () => {
    isComposing = false;
    const runs = waiting;
    waiting = [];
    for (const run of runs) run();
  });
  // A dialog that gives the focus back gives it to what had it before.
  made.addEventListener("focus", () => {
    if (isCatching()) return;
    made.blur();
    const place = [returnTo, opener].find((one) => one instanceof HTMLElement && one.isConnected);
    if (place instanceof HTMLElement) place.focus({ preventScroll: true });
  });
  document.addEventListener("focusin", onFocusIn, { capture: true });
  document.addEventListener("pointerdown", () => isCatching() && stop(), { capture: true });
  document.body.append(made);
  return made;
}

let returnTo: Element | undefined;

/** Ends it; what was typed stays to be handed over. */
function stop(): void {
  if (box === undefined || before === undefined) return;
  if (box.value !== "") typed.push({ text: box.value });
  box.value = "";
  box.setAttribute("aria-hidden", "true");
  returnTo = before;
  before = undefined;
  clearTimeout(timer);
}

/** Nothing comes that it could go into. */
export function releaseTyping(): void {
  const isHere = document.activeElement === box;
  stop();
  typed = [];
  if (isHere && returnTo instanceof HTMLElement) returnTo.focus({ preventScroll: true });
}

function onKeyDown(event: KeyboardEvent): void {
  if (box === undefined || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const { key, shiftKey } = event;
  if (!MEANT_FOR_IT.test(key) && !(EDITING.test(key) && box.value === "")) return;
  event.preventDefault();
  event.stopPropagation();
  if (box.value !== "") typed.push({ text: box.value });
  typed.push({ key, shiftKey });
  box.value = "";
}

function onFocusIn({ target }: FocusEvent): void {
  if (!isCatching() || target === box) return;
  if (!isInput(target)) {
    // The page that was opened takes the focus before its first input does; a menu that closes gives it back.
    if (target instanceof Element) before = target;
    queueMicrotask(() => isCatching() && box?.focus({ preventScroll: true }));
    return;
  }
  stop();
  // Whoever takes the focus may select what is there right after.
  queueMicrotask(() => void handOver());
}

async function handOver(): Promise<void> {
  // What is typed meanwhile comes after what was typed before.
  const wait = (event: KeyboardEvent): void => {
    if (!event.isTrusted || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { key, shiftKey } = event;
    if (!MODIFIERS.test(key)) typed.push(key.length === 1 ? { text: key } : { key, shiftKey });
  };
  window.addEventListener("keydown", wait, { capture: true });
  for (let next = typed.shift(); next !== undefined; next = typed.shift()) {
    put(next);
    // Each is heard, and drawn, before the next, as if it were typed now.
    if (typed.length > 0) await new Promise((done) => setTimeout(done));
  }
  window.removeEventListener("keydown", wait, { capture: true });
}

function put(one: Typed): void {
  const target = document.activeElement ?? document.body;
  const press = (key: string, shiftKey: boolean): boolean =>
    target.dispatchEvent(
      new KeyboardEvent("keydown", { key, code: key, shiftKey, bubbles: true, cancelable: true, composed: true }),
    );
  if (!("text" in one)) {
    if (press(one.key, one.shiftKey) && EDITING.test(one.key)) document.execCommand("delete");
  } else if (isTextField(target)) document.execCommand("insertText", false, one.text);
  else for (const key of one.text) press(key, false);
}
