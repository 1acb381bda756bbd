// Toasts that say what happened: with the way back where there is one, or in red where it did not work.
import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Link } from "@tanstack/react-router";
import i18next, { type TFunction } from "i18next";
import type { Undoable } from "./undo/action-log.ts";
import { asksFirst, noteAction, undoAction } from "./undo/recent-actions.ts";

const UNDO_MS = 12_000;

/** A toast's close button has no words of its own. */
const named = () => ({ closeButtonProps: { "aria-label": i18next.t("actions.close") } });

export const showDone = (message: string, title?: string): void =>
  void notifications.show({ ...named(), message, ...(title === undefined ? {} : { title, color: "green" }) });

/** With the way to what it is about. */
export const showLink = (message: string, label: string, href: string, color?: "red"): void => {
  const id = notifications.show({
    ...named(),
    ...(color && { color }),
    autoClose: UNDO_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{message}</span>
        <Button
          size="compact-xs"
          variant="default"
          renderRoot={(props) => <Link {...props} to={href} onClick={() => notifications.hide(id)} />}
        >
          {label}
        </Button>
      </Group>
    ),
  });
};

export const showWarning = (message: string, title?: string): void =>
  void notifications.show({ ...named(), color: "red", message, ...(title === undefined ? {} : { title }) });

/** Stays until somebody decides: what they have typed would go. */
export const showReload = (message: string): void =>
  void notifications.show({
    ...named(),
    id: "reload",
    autoClose: false,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{message}</span>
        <Button size="compact-xs" variant="default" onClick={() => location.reload()}>
          {i18next.t("actions.reload")}
        </Button>
      </Group>
    ),
  });

/** By a plan it can still be undone after a reload. Undoing it, or why that failed, is said by another toast. */
export function showUndo(
  t: TFunction,
  message: string,
  undo: Undoable["undo"] | undefined,
  more: Omit<Undoable, "message" | "undo"> = {},
): void {
  if (undo === undefined) {
    showDone(message);
    return;
  }
  const action = noteAction({ message, undo, ...more });
  const id = notifications.show({
    autoClose: UNDO_MS,
    ...named(),
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{message}</span>
        <Button size="compact-xs" variant="default" onClick={() => void undoNoted(action)}>
          {t("record.undo")}
        </Button>
      </Group>
    ),
  });
  shown.set(action, id);
}

/** The toasts that offer to undo something. */
const shown = new Map<string, string>();

/** By the toast, the keyboard or the history: the toast goes, and what became of it is said. */
export async function undoNoted(action: string, isConfirmed = false): Promise<void> {
  if (!isConfirmed && asksFirst(action)) return;
  const toast = shown.get(action);
  if (toast !== undefined) notifications.hide(toast);
  shown.delete(action);
  const outcome = await undoAction(action);
  if (outcome?.kind === "undone") {
    showDone(outcome.said ?? i18next.t("undo.done", { what: outcome.action.message }));
  } else if (outcome?.kind === "refused") showWarning(outcome.reason);
  else if (outcome) showWarning(i18next.t("undo.away"));
}
