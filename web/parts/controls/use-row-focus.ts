// A button of a row that is pressed goes with what it did: the focus moves on to the next row that has one, else to the heading.
import { useEffect, useRef } from "react";

/** From `index` on, else the last before it; -1 where no row has an action. */
export function nextRow(hasAction: readonly boolean[], index: number): number {
  const after = hasAction.indexOf(true, index);
  return after === -1 ? hasAction.lastIndexOf(true) : after;
}

interface Pressed {
  readonly button: Element;
  readonly row: number;
  /** The section of the table, and the one before it: the first may go with its last row. */
  readonly sections: readonly Element[];
}

const rowsOf = (section: Element): HTMLElement[] => [...section.querySelectorAll<HTMLElement>("tbody > tr")];

/** For the component that the rows are drawn in anew; call what it returns when a button of a row is pressed. */
export function useRowFocus(): () => void {
  const pressed = useRef<Pressed>(undefined);
  // After every commit: the answer comes some time after the button was pressed.
  useEffect(() => {
    if (pressed.current === undefined || pressed.current.button.isConnected) return;
    const { row, sections } = pressed.current;
    pressed.current = undefined;
    if (document.activeElement !== document.body) return;
    const section = sections.find((one) => one.isConnected);
    if (section === undefined) return;
    const buttons = rowsOf(section).map((one) => one.querySelector("button"));
    const button = section === sections[0] ? buttons[nextRow(buttons.map(Boolean), row)] : undefined;
    if (button) return button.focus();
    const heading = section.querySelector<HTMLElement>("h2");
    if (heading) heading.tabIndex = -1;
    heading?.focus();
  });
  return () => {
    const button = document.activeElement;
    // A wide table is a section too, without a heading.
    const section = button?.closest("section:has(h2)");
    if (!(button && section)) return;
    const row = rowsOf(section).findIndex((one) => one.contains(button));
    const before = section.previousElementSibling;
    pressed.current = { button, row, sections: before ? [section, before] : [section] };
  };
}
