// Asks before a record is deleted; afterwards the toast offers the way back.
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { deleteRecord, restoreRecord } from "../../../client/records.ts";
import { WireFailure } from "../../../client/wire-failure.ts";
import { forgetRecords } from "../../queries.ts";
import { call } from "../../session/session.ts";

interface DeleteDialogProps {
  readonly recordTypeKey: string;
  readonly id: string;
  readonly name: string;
  readonly opened: boolean;
  readonly close: () => void;
  readonly onDeleted: () => void;
  readonly onRestored: () => void;
}

const UNDO_MS = 12_000;

export function DeleteDialog({ recordTypeKey, id, name, opened, close, onDeleted, onRestored }: DeleteDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const undo = async (toast: string): Promise<void> => {
    notifications.hide(toast);
    try {
      await restoreRecord(call, recordTypeKey, id);
      await forgetRecords(queryClient, recordTypeKey);
      notifications.show({ message: t("record.restored", { name }) });
      onRestored();
    } catch (error) {
      notifications.show({ color: "red", message: error instanceof Error ? error.message : String(error) });
    }
  };
  const remove = useMutation({
    mutationFn: () => deleteRecord(call, recordTypeKey, id),
    onSuccess: () => {
      close();
      onDeleted();
      void forgetRecords(queryClient, recordTypeKey);
      const toast = `deleted-${id}`;
      notifications.show({
        id: toast,
        autoClose: UNDO_MS,
        closeButtonProps: { "aria-label": t("actions.close") },
        message: (
          <Group justify="space-between" wrap="nowrap">
            <span>{t("record.deleted", { name })}</span>
            <Button size="compact-xs" variant="default" onClick={() => void undo(toast)}>
              {t("record.undo")}
            </Button>
          </Group>
        ),
      });
    },
  });
  const reasons =
    remove.error instanceof WireFailure ? remove.error.errors : remove.error ? [remove.error.message] : [];
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t("record.delete_title", { name })}
      closeButtonProps={{ "aria-label": t("actions.close") }}
      onExitTransitionEnd={remove.reset}
    >
      <Stack gap="md">
        <Text size="sm">{t("record.delete_lead")}</Text>
        {reasons.length > 0 && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {reasons.join(" ")}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {t("actions.cancel")}
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t("record.delete")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
