// Asks before a record is deleted; afterwards the toast offers the way back.
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { deleteRecord, restoreRecord } from "../../../client/records.ts";
import { WireFailure } from "../../../client/wire-failure.ts";
import { showDone, showUndo } from "../../parts/toasts.tsx";
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

export function DeleteDialog({ recordTypeKey, id, name, opened, close, onDeleted, onRestored }: DeleteDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const undo = async (): Promise<void> => {
    await restoreRecord(call, recordTypeKey, id);
    await forgetRecords(queryClient, recordTypeKey);
    showDone(t("record.restored", { name }));
    onRestored();
  };
  const remove = useMutation({
    mutationFn: () => deleteRecord(call, recordTypeKey, id),
    onSuccess: () => {
      close();
      onDeleted();
      void forgetRecords(queryClient, recordTypeKey);
      showUndo(t, t("record.deleted", { name }), undo);
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
