// The handle of a thing in a list: dragged by the pointer; by the keyboard, the arrow keys move it a place on.
import { IconGripVertical } from "@tabler/icons-react";
import type { KeyboardEvent, RefObject } from "react";
import { useTranslation } from "react-i18next";
import classes from "./move-handle.module.css";

interface MoveHandleProps {
  /** Of what it moves. */
  readonly name: string;
  readonly place: number;
  readonly count: number;
  readonly handle: RefObject<HTMLButtonElement | null>;
  /** By one place, up or down; at the ends of a list the caller may lead on into another. Left out where only the pointer can move it. */
  readonly onStep?: (step: -1 | 1) => void;
}

export function MoveHandle({ name, place, count, handle, onStep }: MoveHandleProps) {
  const { t } = useTranslation();
  const press = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : undefined;
    if (step === undefined || !onStep) return;
    event.preventDefault();
    onStep(step);
    // A row that changes its place in the page loses the focus on the way.
    requestAnimationFrame(() => handle.current?.focus());
  };
  return (
    <button
      type="button"
      ref={handle}
      className={classes.handle}
      {...(onStep ? { title: t("move.hint") } : { "aria-hidden": true, tabIndex: -1 })}
      aria-label={t("move.handle", { name, place: place + 1, count })}
      onKeyDown={press}
    >
      <IconGripVertical size={15} stroke={1.6} aria-hidden="true" />
    </button>
  );
}
