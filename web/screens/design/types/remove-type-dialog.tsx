// Takes a record type out of service, after saying what becomes of its records.
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { forgetRecentType } from "../../../parts/recent-records.ts";
import { showDone } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { client } from "../../../session/session.ts";

interface RemoveTypeDialogProps {
  readonly recordTypeKey: string;
  readonly name: string;
  readonly close: () => void;
}

export function RemoveTypeDialog({ recordTypeKey, name, close }: RemoveTypeDialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const remove = useWrite({
    mutationFn: () => client.design.removeRecordType(recordTypeKey),
    onSuccess: async () => {
      forgetRecentType(recordTypeKey);
      showDone(t("design.removed", { name }));
      await navigate({ to: "/administration", search: { part: "record_types" } });
      await queryClient.invalidateQueries();
    },
  });
  const failure = remove.error instanceof WireFailure ? remove.error.errors.join(" ") : remove.error?.message;
  return (
    <Modal
      opened
      onClose={close}
      title={t("design.remove_title", { name })}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <Stack gap="md">
        <Text size="sm">{t("design.remove_lead", { key: recordTypeKey })}</Text>
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t("actions.cancel")}
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t("design.remove_type")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
