// A table of inputs is one stop of the Tab key: where one was last. The arrow keys lead from there to the next input in their direction, Home
// and End to the ends of the line, with Ctrl to those of the table. Give what it returns to the table.
import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";

const CONTROLS = "td :is(input, button)";

const controlOf = (cell: Element | undefined): HTMLElement | null => cell?.querySelector("input, button") ?? null;

/** The nearest control in a line of cells, that one or further on. */
function controlFrom(cells: readonly Element[], from: number, by: 1 | -1): HTMLElement | undefined {
  for (let at = from; at >= 0 && at < cells.length; at += by) {
    const control = controlOf(cells[at]);
    if (control !== null) return control;
  }
  return undefined;
}

function targetOf(table: HTMLElement, control: Element, key: string, toEnds: boolean): HTMLElement | undefined {
  const cell = control.closest("td");
  const row = cell?.closest("tr");
  if (!cell || !row) return undefined;
  const line = [...row.cells];
  const isRtl = getComputedStyle(table).direction === "rtl";
  const [before, after] = isRtl ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
  const at = line.indexOf(cell);
  const rows = [...table.querySelectorAll<HTMLTableRowElement>("tbody > tr")];
  const above = rows.map((one) => one.cells[at]).filter((one) => one !== undefined);
  const all = [...table.querySelectorAll<HTMLElement>(CONTROLS)];
  switch (key) {
    case before:
      return controlFrom(line, at - 1, -1);
    case after:
      return controlFrom(line, at + 1, 1);
    case "ArrowUp":
      return controlFrom(above, above.indexOf(cell) - 1, -1);
    case "ArrowDown":
      return controlFrom(above, above.indexOf(cell) + 1, 1);
    case "Home":
      return toEnds ? all[0] : controlFrom(line, 0, 1);
    case "End":
      return toEnds ? all.at(-1) : controlFrom(line, line.length - 1, -1);
    default:
      return undefined;
  }
}

export interface GridFocus {
  readonly ref: RefObject<HTMLTableElement | null>;
  readonly onFocus: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLTableElement>) => void;
}

export function useGridFocus(): GridFocus {
  const ref = useRef<HTMLTableElement>(null);
  const last = useRef<{ readonly control: HTMLElement; readonly row: Element | null }>(undefined);
  const settle = (): void => {
    const controls = [...(ref.current?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
    const { control, row } = last.current ?? {};
    const stop = control?.isConnected ? control : (row?.querySelector<HTMLElement>(CONTROLS) ?? controls[0]);
    for (const one of controls) one.tabIndex = one === stop ? 0 : -1;
    // A button that went with what it did leaves the focus in its line.
    if (control && !control.isConnected && document.activeElement === document.body) stop?.focus();
  };
  // After every commit: lines and buttons come and go.
  useEffect(settle);
  return {
    ref,
    onFocus: () => {
      const control = document.activeElement;
      if (!(control instanceof HTMLElement) || !control.closest("td")) return;
      last.current = { control, row: control.closest("tr") };
      settle();
    },
    onKeyDown: (event) => {
      const control = document.activeElement;
      if (ref.current === null || control === null || event.altKey || event.metaKey) return;
      const target = targetOf(ref.current, control, event.key, event.ctrlKey);
      if (target === undefined) return;
      event.preventDefault();
      target.focus();
    },
  };
}
