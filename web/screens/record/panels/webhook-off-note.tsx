// Says that a webhook sends nothing and why, with the way to turn it on.
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../parts/layout/notice.tsx";
import { showDone, showWarning } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { forgetRecords } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import type { PanelProps } from "../panel.ts";
import classes from "../record.module.css";

export function WebhookOffNote({ id, view, record, recordTypeKey }: PanelProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const turnOn = useWrite({
    mutationFn: () =>
      client.records.changeRecord(recordTypeKey, {
        alias: view.alias,
        id,
        revision: typeof record.revision === "string" ? record.revision : undefined,
        values: { is_active: "1" },
      }),
    onSuccess: async () => {
      await forgetRecords(queryClient, recordTypeKey);
      showDone(t("webhooks.turned_on"));
    },
    onError: (error) => showWarning(error.message),
  });
  const { problem } = record;
  return (
    <div className={classes.bin}>
      <Notice tone="wait" title={t("webhooks.off")}>
        {typeof problem === "string" && problem !== "" && <p className={classes.why}>{problem}</p>}
        <p className={classes.why}>{t("webhooks.off_lead")}</p>
        {view.is_editable === 1 && (
          <Button size="compact-sm" variant="default" loading={turnOn.isPending} onClick={() => turnOn.mutate()}>
            {t("webhooks.turn_on")}
          </Button>
        )}
      </Notice>
    </div>
  );
}
