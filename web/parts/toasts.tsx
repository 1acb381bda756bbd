// Toasts that say what happened: with the way back where there is one, or in red where it did not work.
import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Link } from "@tanstack/react-router";
import i18next, { type TFunction } from "i18next";
import { type LastUndo, offerUndo, withdrawUndo } from "./last-undo.ts";

const UNDO_MS = 12_000;

/** A toast's close button has no words of its own. */
const named = () => ({ closeButtonProps: { "aria-label": i18next.t("actions.close") } });

export const showDone = (message: string, title?: string): void =>
  void notifications.show({ ...named(), message, ...(title === undefined ? {} : { title, color: "green" }) });

/** With the way to what it is about. */
export const showLink = (message: string, label: string, href: string): void => {
  const id = notifications.show({
    ...named(),
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

/** `undo` says itself what it did; where it fails, the toast says why. */
export function showUndo(t: TFunction, message: string, undo: (() => Promise<unknown>) | undefined): void {
  if (undo === undefined) {
    showDone(message);
    return;
  }
  const offer: LastUndo = {
    message,
    run: () => {
      notifications.hide(id);
      undo().catch((error: unknown) => showWarning(error instanceof Error ? error.message : String(error)));
    },
  };
  offerUndo(offer);
  const id = notifications.show({
    autoClose: UNDO_MS,
    ...named(),
    onClose: () => withdrawUndo(offer),
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{message}</span>
        <Button size="compact-xs" variant="default" onClick={offer.run}>
          {t("record.undo")}
        </Button>
      </Group>
    ),
  });
}
