// On a workflow's page: how many records are on earlier versions, and the way to move them to the newest. Says nothing where
// there are none.
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isOver, type Job } from "../../../../client/records/jobs.ts";
import type { Move, OlderRecords } from "../../../../client/records/older-records.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { useFormats } from "../../../fields/formats.ts";
import { useFocusOnLeave } from "../../../parts/controls/use-return-focus.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { showWarning } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { forgetRecords, jobsQuery, olderRecordsQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import { forgetJob, watchMove } from "../../jobs/watch-job.tsx";
import type { PanelProps } from "../../record/panel.ts";
import { MoveRecordsDialog } from "./move-records-dialog.tsx";
import classes from "./workflow.module.css";

export function OlderRecordsPanel({ id, record }: PanelProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const key = String(record.controller);
  const version = String(record.version);
  const { older, isMoving } = useOlderRecords(key, id, version);
  /** As it was when somebody asked: it must not change under their hands. */
  const [asked, setAsked] = useState<OlderRecords>();
  /** As it is now. */
  const ask = async (): Promise<boolean> => {
    const now = await queryClient.fetchQuery(olderRecordsQuery(key, id, version));
    setAsked(now.moving.length > 0 ? now : undefined);
    return now.moving.length > 0;
  };
  const open = useWrite({ mutationFn: ask, onError: (error) => showWarning(error.message) });
  const move = useWrite({
    mutationFn: (wanted: Move) => client.workflow.moveRecords(id, wanted),
    onSuccess: async (answer) => {
      await forgetJob(queryClient, key);
      setAsked(undefined);
      void watchMove(queryClient, t, key, answer);
    },
    // What they decided on may have changed: they decide anew, and see why. Where that can't be asked, it stays as it was.
    onError: async (error) => {
      if (error instanceof WireFailure && error.code === "newer_version")
        void forgetRecords(queryClient, "core/workflows");
      const isLeft = await ask().catch(() => true);
      if (!isLeft) showWarning(error.message);
    },
  });
  return (
    <>
      {older && older.moving.length > 0 && !isMoving && <Note older={older} onMove={() => open.mutate()} />}
      {asked && (
        <MoveRecordsDialog older={asked} change={move} onMove={move.mutate} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

/** `isMoving`: by a job just now, whoever started it. They are counted anew when it is over. */
function useOlderRecords(key: string, id: string, version: string) {
  // A workflow that was never changed has none.
  const { data: older, refetch } = useQuery({ ...olderRecordsQuery(key, id, version), enabled: version !== "1" });
  const isMoved = (jobs: readonly Job[] = []): boolean =>
    jobs.some((job) => job.kind === "move" && job.controller === key && !isOver(job));
  const jobs = useQuery({
    ...jobsQuery,
    staleTime: 0,
    enabled: older !== undefined && older.moving.length > 0,
    refetchInterval: ({ state: { data } }) => (isMoved(data) ? 2000 : false),
  });
  const isMoving = isMoved(jobs.data);
  const wasMoving = useRef(false);
  useEffect(() => {
    if (wasMoving.current && !isMoving) void refetch();
    wasMoving.current = isMoving;
  }, [isMoving, refetch]);
  return { older, isMoving: isMoving || jobs.isLoading };
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
