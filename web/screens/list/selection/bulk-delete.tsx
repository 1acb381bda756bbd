// Asks before many records are deleted, and says how many.
import { useTranslation } from "react-i18next";
import type { Picked } from "../../../../client/records/bulk.ts";
import { useFormats } from "../../../fields/formats.ts";
import { ConfirmDialog } from "../../../parts/controls/confirm-dialog.tsx";
import { client } from "../../../session/session.ts";
import { useBulk } from "../../jobs/use-bulk.tsx";

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
  const remove = useBulk(recordTypeKey, () => client.bulk.deleteSelected(recordTypeKey, picked), onDone);
  const words = { count, replace: { count: formats.count(count) } };
  return (
    <ConfirmDialog
      opened={opened}
      close={close}
      title={t("bulk.delete_title", words)}
      lead={t("bulk.delete_lead")}
      action={t("bulk.delete_many", words)}
      change={remove}
      onConfirm={() => remove.mutate()}
    />
  );
}
