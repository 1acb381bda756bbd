// Asks before a record is deleted; afterwards the toast offers the way back.
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../parts/controls/confirm-dialog.tsx";
import { showUndo } from "../../parts/toasts.tsx";
import { useWrite } from "../../parts/use-write.ts";
import { forgetRecords } from "../../queries.ts";
import { client } from "../../session/session.ts";

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
  const remove = useWrite({
    mutationFn: () => client.records.deleteRecord(recordTypeKey, id),
    onSuccess: () => {
      close();
      onDeleted();
      void forgetRecords(queryClient, recordTypeKey);
      const plan = { kind: "delete", key: recordTypeKey, id } as const;
      showUndo(t, t("record.deleted", { name }), plan, { after: onRestored });
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      close={close}
      title={t("record.delete_title", { name })}
      lead={t("record.delete_lead")}
      action={t("record.delete")}
      change={remove}
      onConfirm={() => remove.mutate()}
    />
  );
}
