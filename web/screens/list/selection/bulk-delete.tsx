// Asks before many records are deleted, and says how many.
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { deleteSelected, type Picked } from "../../../../client/bulk.ts";
import { useFormats } from "../../../fields/formats.ts";
import { call } from "../../../session/session.ts";
import { reasonsOf, useBulk } from "../../jobs/use-bulk.tsx";

export interface BulkDialogProps {
  readonly recordTypeKey: string;
  readonly picked: Picked;
  readonly count: number;
  readonly opened: boolean;
  readonly close: () => void;
  /** It is done, or goes on by itself. */
  readonly onDone: () => void;
}

export function BulkDelete({ recordTypeKey, picked, count, opened, close, onDone }: BulkDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const remove = useBulk(recordTypeKey, () => deleteSelected(call, recordTypeKey, picked), onDone);
  const words = { count, replace: { count: formats.count(count) } };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t("bulk.delete_title", words)}
      closeButtonProps={{ "aria-label": t("actions.close") }}
      onExitTransitionEnd={remove.reset}
    >
      <Stack gap="md">
        <Text size="sm">{t("bulk.delete_lead")}</Text>
        {remove.error && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {reasonsOf(remove.error).join(" ")}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {t("actions.cancel")}
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t("bulk.delete_many", words)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
