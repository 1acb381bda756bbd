// Toasts that say what happened: with the way back where there is one, or in red where it did not work.
import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { TFunction } from "i18next";

const UNDO_MS = 12_000;

export const showDone = (message: string): void => void notifications.show({ message });

export const showWarning = (message: string): void => void notifications.show({ color: "red", message });

/** `undo` says itself what it did; where it fails, the toast says why. */
export function showUndo(t: TFunction, message: string, undo: (() => Promise<unknown>) | undefined): void {
  if (undo === undefined) {
    showDone(message);
    return;
  }
  const id = notifications.show({
    autoClose: UNDO_MS,
    closeButtonProps: { "aria-label": t("actions.close") },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{message}</span>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            undo().catch((error: unknown) => showWarning(error instanceof Error ? error.message : String(error)));
          }}
        >
          {t("record.undo")}
        </Button>
      </Group>
    ),
  });
}
