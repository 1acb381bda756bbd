// Changes a record from within a picture: shown at once, taken back if the service refuses, with Undo in the toast.
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { showUndo } from "../parts/toasts.tsx";
import { forgetRecords, type IsElsewhere } from "../queries.ts";
import { client } from "../session/session.ts";

export interface ChartChange {
  readonly id: string;
  /** The one that the change is made on. */
  readonly revision: string | undefined;
  readonly values: Readonly<Record<string, string | null>>;
  /** What to go back to. */
  readonly before: Readonly<Record<string, string | null>>;
  /** What happened, in a sentence. */
  readonly said: string;
  /** What is on the screen and shows the record neither before nor after. */
  readonly isElsewhere?: IsElsewhere;
  /** Shows it before it is saved; gives the way back. */
  show(): () => void;
}

export function useChangeRecord(recordTypeKey: string, alias: string): (change: ChartChange) => Promise<void> {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const send = async (change: ChartChange): Promise<void> => {
    await queryClient.cancelQueries({ queryKey: ["list", recordTypeKey] });
    const back = change.show();
    try {
      const { id, revision, values } = change;
      const saved = await client.records.changeRecord(recordTypeKey, { alias, id, revision, values });
      const now = saved.data[saved.alias]?.revision;
      const undone: ChartChange = {
        id,
        revision: typeof now === "string" ? now : undefined,
        values: change.before,
        before: values,
        said: t("charts.undone"),
        ...(change.isElsewhere && { isElsewhere: change.isElsewhere }),
        show: () => () => undefined,
      };
      showUndo(t, change.said, change.said === undone.said ? undefined : () => send(undone));
    } catch (error) {
      back();
      const message = error instanceof Error ? error.message : String(error);
      notifications.show({ color: "red", title: t("charts.not_changed"), message });
    }
    await forgetRecords(queryClient, recordTypeKey, change.isElsewhere);
  };
  return send;
}
