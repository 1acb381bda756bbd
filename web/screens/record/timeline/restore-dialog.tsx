// Asks before a record goes back to how it was, and offers the way back afterwards.
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { ChangeEntry } from "../../../../client/records/timeline.ts";
import { showUndo } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { forgetRecords, recordQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";

interface RestoreDialogProps {
  readonly recordTypeKey: string;
  readonly id: string;
  readonly asked: ChangeEntry | undefined;
  /** The revision that the record has now. */
  readonly latest: string | undefined;
  readonly close: () => void;
}

export function RestoreDialog({ recordTypeKey, id, asked, latest, close }: RestoreDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const revert = useWrite({
    mutationFn: ({ to }: { to: string; undoes?: boolean }) => client.history.revertRecord(recordTypeKey, id, to),
    onSuccess: (_saved, { undoes }) => {
      close();
      void forgetRecords(queryClient, recordTypeKey);
      if (undoes) return;
      const undo = async (to: string): Promise<string> => {
        await revert.mutateAsync({ to, undoes: true });
        return t("history.undone");
      };
      const shown = queryClient.getQueryData(recordQuery(recordTypeKey, "view", id).queryKey);
      showUndo(t, t("history.reverted"), latest === undefined ? undefined : () => undo(latest), {
        name: shown?.name ?? undefined,
      });
    },
  });
  return (
    <Modal
      opened={asked !== undefined}
      onClose={close}
      title={t("history.revert_title")}
      closeButtonProps={{ "aria-label": t("actions.close") }}
      onExitTransitionEnd={revert.reset}
    >
      <Stack gap="md">
        <Text size="sm">{t("history.revert_lead", { revision: asked?.revision ?? "" })}</Text>
        {revert.error && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {revert.error.message}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {t("actions.cancel")}
          </Button>
          <Button loading={revert.isPending} onClick={() => asked && revert.mutate({ to: asked.revision })}>
            {t("history.revert")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
