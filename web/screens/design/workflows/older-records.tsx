// On a workflow's page: how many records are on earlier versions, and the way to move them to the newest. Says nothing where
// there are none.
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { OlderRecords } from "../../../../client/records/older-records.ts";
import { useFormats } from "../../../fields/formats.ts";
import { useFocusOnLeave } from "../../../parts/controls/use-return-focus.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { showDone } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { forgetRecords, olderRecordsQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import { watchJob } from "../../jobs/watch-job.tsx";
import type { PanelProps } from "../../record/panel.ts";
import { MoveRecordsDialog } from "./move-records-dialog.tsx";
import classes from "./workflow.module.css";

export function OlderRecordsPanel({ id, record }: PanelProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: older } = useQuery(olderRecordsQuery(String(record.controller), id, String(record.version)));
  /** As it was when somebody asked: it must not change under their hands. */
  const [asked, setAsked] = useState<OlderRecords>();
  const move = useWrite({
    mutationFn: (stages: Readonly<Record<string, string>>) => client.workflow.moveRecords(id, stages),
    onSuccess: async (answer) => {
      const key = String(record.controller);
      await forgetRecords(queryClient, key);
      setAsked(undefined);
      // Done at once, there is no way back to offer.
      if (answer.isGoingOn) watchJob(queryClient, t, key, answer);
      else showDone(answer.message);
    },
  });
  return (
    <>
      {older && older.moving.length > 0 && <Note older={older} onMove={() => setAsked(older)} />}
      {asked && (
        <MoveRecordsDialog
          older={asked}
          change={move}
          onMove={(stages) => move.mutate(stages)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

function Note({ older, onMove }: { readonly older: OlderRecords; readonly onMove: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const note = useRef<HTMLDivElement>(null);
  useFocusOnLeave(note);
  const count = older.moving.reduce((sum, one) => sum + one.count, 0);
  return (
    <div ref={note} className={classes.older}>
      <Notice tone="news" title={t("workflows.older", { count, number: formats.count(count) })}>
        <p className={classes.olderLead}>{t("workflows.older_lead", { version: older.version })}</p>
        <Button size="compact-sm" variant="default" onClick={onMove}>
          {t("workflows.older_move", { version: older.version })}
        </Button>
      </Notice>
    </div>
  );
}
