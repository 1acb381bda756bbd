// Lists of a design are long: Tab stops at one of their lines, and the arrow keys lead from line to line. Takes the element that holds such
// lists (`data-lines`) with their lines (`data-line`), of which those that can be chosen have a button for it (`data-pick`).

const PICK = "[data-pick]";
/** Not what is there for the pointer alone. */
const REACHED = "button:not([aria-hidden=true]), input:not([type=hidden])";

interface Place {
  readonly pick: HTMLElement;
  readonly index: number;
  /** What was open then. */
  readonly open: HTMLElement | undefined;
}

const all = (within: Element, what: string): HTMLElement[] => [...within.querySelectorAll<HTMLElement>(what)];

/** Where an arrow key, Home or End leads; undefined for any other key. */
export function nextIndex(key: string, index: number, count: number): number | undefined {
  const last = count - 1;
  if (key === "ArrowDown") return Math.min(index + 1, last);
  if (key === "ArrowUp") return Math.max(index - 1, 0);
  return key === "Home" ? 0 : key === "End" ? last : undefined;
}

export function lineKeys(panes: HTMLElement): () => void {
  /** The line of each list that Tab stops at. */
  const places = new WeakMap<Element, Place>();

  const placeOf = (list: Element): Place | undefined => {
    const picks = all(list, PICK);
    const known = places.get(list);
    const open = picks.find((one) => one.getAttribute("aria-expanded") === "true");
    // What was opened since, such as a line that was added; else the same line, or where one that is gone stood.
    const wanted = open && open !== known?.open ? open : known?.pick;
    const index =
      wanted && picks.includes(wanted) ? picks.indexOf(wanted) : Math.min(known?.index ?? 0, picks.length - 1);
    const pick = picks[index];
    return pick && { pick, index, open };
  };
  const settle = (): void => {
    for (const list of all(panes, "[data-lines]")) {
      const place = placeOf(list);
      if (place) places.set(list, place);
      for (const line of all(list, "[data-line]")) {
        const own = line.matches(PICK) ? line : line.querySelector(PICK);
        // What can be added to a section can be reached from all of its lines.
        const isHere = own ? own === place?.pick : (line.closest("li")?.contains(place?.pick ?? null) ?? false);
        for (const one of line.matches(REACHED) ? [line] : all(line, REACHED)) one.tabIndex = isHere ? 0 : -1;
      }
    }
  };
  const stay = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    const [line, list] = [target.closest("[data-line]"), target.closest("[data-lines]")];
    const pick = line?.matches(PICK) ? line : line?.querySelector(PICK);
    if (!list || !(pick instanceof HTMLElement)) return;
    places.set(list, { pick, index: all(list, PICK).indexOf(pick), open: places.get(list)?.open });
    settle();
  };
  const press = (event: KeyboardEvent): void => {
    const { target, key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (!(target instanceof HTMLElement) || !target.matches(PICK) || altKey || ctrlKey || metaKey || shiftKey) return;
    const list = target.closest("[data-lines]");
    const picks = list ? all(list, PICK) : [];
    const next = picks[nextIndex(key, picks.indexOf(target), picks.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  const changes = new MutationObserver(settle);
  changes.observe(panes, { childList: true, subtree: true, attributeFilter: ["aria-expanded"] });
  panes.addEventListener("focusin", stay);
  panes.addEventListener("keydown", press);
  settle();
  return () => {
    changes.disconnect();
    panes.removeEventListener("focusin", stay);
    panes.removeEventListener("keydown", press);
  };
}
