// Says that the record is in the recycle bin, with the way back, and for administrators the way out for good.
import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RecordView } from "../../../client/records/records.ts";
import type { RecordTypeKey } from "../../../client/transport/address.ts";
import { ConfirmDialog } from "../../parts/controls/confirm-dialog.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { forgetRecent } from "../../parts/recent-records.ts";
import { showDone, showWarning } from "../../parts/toasts.tsx";
import { useWrite } from "../../parts/use-write.ts";
import { forgetRecords } from "../../queries.ts";
import { client } from "../../session/session.ts";
import classes from "./record.module.css";

interface DeletedNoteProps {
  readonly recordTypeKey: RecordTypeKey;
  readonly id: string;
  readonly name: string;
  readonly view: RecordView;
}

export function DeletedNote({ recordTypeKey, id, name, view }: DeletedNoteProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [purging, { open, close }] = useDisclosure(false);
  const restore = useWrite({
    mutationFn: () => client.records.restoreRecord(recordTypeKey, id),
    onSuccess: async () => {
      await forgetRecords(queryClient, recordTypeKey);
      showDone(t("record.restored", { name }));
    },
    onError: (error) => showWarning(error.message),
  });
  const purge = useWrite({
    mutationFn: () => client.history.purgeRecord(recordTypeKey, id),
    onSuccess: async () => {
      forgetRecent(recordTypeKey, id);
      await navigate({ to: `/${recordTypeKey}/index` });
      queryClient.removeQueries({ queryKey: ["record", recordTypeKey, id] });
      void forgetRecords(queryClient, recordTypeKey);
      showDone(t("record.purged", { name }));
    },
  });
  return (
    <div className={classes.bin}>
      <Notice tone="wait">
        <Group gap="xs">
          <span>{t("record.deleted_note")}</span>
          {view.permissions.restore === 1 && (
            <Button size="compact-xs" variant="default" loading={restore.isPending} onClick={() => restore.mutate()}>
              {t("record.restore")}
            </Button>
          )}
          {view.permissions.purge === 1 && (
            <Button size="compact-xs" variant="default" c="var(--mantine-color-error)" onClick={open}>
              {t("record.purge")}
            </Button>
          )}
        </Group>
        <ConfirmDialog
          opened={purging}
          close={close}
          title={t("record.purge_title", { name })}
          lead={t("record.purge_lead")}
          action={t("record.purge")}
          change={purge}
          onConfirm={() => purge.mutate()}
        />
      </Notice>
    </div>
  );
}
