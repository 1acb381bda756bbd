// The import itself: its progress and a way to stop it; then what became of it, the way to the list and the way back.
import { Anchor, Button, Group, Skeleton, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowBackUp, IconDownload } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../client/design/record-types.ts";
import { canUndo, isOver, type Job, undoOffer } from "../../../client/records/jobs.ts";
import { useFormats } from "../../fields/formats.ts";
import { keepFile } from "../../parts/keep-file.ts";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { showDone, showWarning } from "../../parts/toasts.tsx";
import { noteAction } from "../../parts/undo/recent-actions.ts";
import { useWrite } from "../../parts/use-write.ts";
import { forgetRecords, jobQuery } from "../../queries.ts";
import { isGone } from "../../query-client.ts";
import { client } from "../../session/session.ts";
import { JobFailures } from "../jobs/job-failures.tsx";
import { undo } from "../jobs/watch-job.tsx";
import { Counts } from "./counts.tsx";
import classes from "./import.module.css";
import { LongWork } from "./long-work.tsx";
import { watchedJobQuery } from "./watched-job.ts";

interface RunStepProps {
  readonly schema: RecordTypeSchema;
  readonly jobId: string;
  /** To the choices and the check. */
  readonly onBack: () => void;
  readonly onAgain: () => void;
  readonly onOver: () => void;
}

export function RunStep({ schema, jobId, onBack, onAgain, onOver }: RunStepProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const query = useQuery(watchedJobQuery(jobId));
  const { key } = schema.recordType;
  const wasUnderWay = useRef(true);
  const job = query.data;
  const tellOver = useEffectEvent(onOver);
  useEffect(() => {
    if (job === undefined || !isOver(job) || !wasUnderWay.current) return;
    wasUnderWay.current = false;
    if (job.state !== "failed" && !isInVain(job)) tellOver();
    void forgetRecords(queryClient, key);
    if (canUndo(job)) noteAction({ message: job.title, undo: { kind: "job", key, jobId } });
  }, [job, key, jobId, queryClient]);
  return (
    <Section title={t("imports.steps.run")}>
      <Loaded query={query} skeleton={<Skeleton h={96} radius="md" />}>
        {(found) =>
          isOver(found) ? (
            <Over {...{ schema, onBack, onAgain }} job={found} />
          ) : (
            <div className={classes.stack}>
              <LongWork job={found} id={jobId} label={t("imports.run.running")} />
              <Text size="sm" c="dimmed">
                {t("imports.run.background")}
              </Text>
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

/** Every row failed: it can be tried again from the choices. */
function isInVain({ state, counts }: Job): boolean {
  const { added = 0, changed = 0, unchanged = 0, skipped = 0, failed = 0 } = counts ?? {};
  return state === "done" && failed > 0 && added + changed + unchanged + skipped === 0;
}

function Over({ schema, job, onBack, onAgain }: Omit<RunStepProps, "jobId" | "onOver"> & { readonly job: Job }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const { key, plural: type } = schema.recordType;
  const back = useWrite({
    mutationFn: () => undo(queryClient, t, key, job.id),
    onSuccess: (said) => showDone(said),
    onError: (error) => showWarning(error.message),
    // One that failed has changed the job too.
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobQuery(job.id).queryKey }),
  });
  const download = useMutation({
    mutationFn: () => client.imports.readFaultyRows(job.id),
    onSuccess: ({ name, content }) => keepFile(name ?? "rows.csv", content),
    onError: (error) => showWarning(error.message),
  });
  const isUndone = job.undoneBy !== null;
  const { data: undoing, error } = useQuery({ ...watchedJobQuery(job.undoneBy ?? ""), enabled: isUndone });
  // Somebody else's undo may not be read: then it is taken to be over.
  if (isUndone && undoing === undefined && !isGone(error)) return <Skeleton h={96} radius="md" />;
  if (undoing && !isOver(undoing)) return <LongWork job={undoing} id={undoing.id} label={t("imports.run.undoing")} />;
  // One that did not come to its end can be finished.
  const isBroken = undoing?.state === "failed" || undoing?.state === "cancelled";
  // A record may be restored, or a field, or a right be given: then the rest goes back as well.
  const offer = undoOffer(job, undoing);
  const outcome = isUndone ? "undone" : isInVain(job) ? "none" : job.state === "done" ? "done" : "stopped";
  return (
    <div className={classes.stack}>
      {isBroken ? (
        <Notice
          tone="bad"
          title={t(undoing.state === "failed" ? "imports.run.undo_failed" : "imports.run.undo_stopped")}
        >
          {(undoing.state === "failed" && sentences(undoing.reasons)) ||
            t("jobs.count", { done: formats.count(undoing.done), total: formats.count(undoing.total) })}
        </Notice>
      ) : job.state === "failed" && !isUndone ? (
        <Notice tone="bad" title={t("imports.run.failed")}>
          {sentences(job.reasons)}
        </Notice>
      ) : (
        <Notice tone={outcome === "none" ? "bad" : "news"} title={t(`imports.run.${outcome}`)}>
          {t(`imports.run.${outcome === "stopped" ? "done" : outcome}_lead`)}
        </Notice>
      )}
      {undoing && <Remaining job={undoing} />}
      {job.state === "cancelled" && !isUndone && (
        <Text size="sm">{t("jobs.count", { done: formats.count(job.done), total: formats.count(job.total) })}</Text>
      )}
      {job.counts && (!isUndone || isBroken) && <Counts counts={{ ...job.counts, failed: job.failed }} />}
      <Group gap="sm">
        <Button component={Link} to={`/${key}/index`}>
          {t("imports.view", { type })}
        </Button>
        {offer && (
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={16} stroke={1.6} aria-hidden="true" />}
            loading={back.isPending}
            onClick={() => back.mutate()}
          >
            {t(offer === "rest" ? "imports.run.undo_rest" : "imports.run.undo")}
          </Button>
        )}
        {job.failed > 0 && (
          <Button
            variant="default"
            leftSection={<IconDownload size={15} stroke={1.6} aria-hidden="true" />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            {t("imports.run.download", { count: job.failed, shown: formats.count(job.failed) })}
          </Button>
        )}
        {(job.state === "failed" || isInVain(job) || isUndone) && !isBroken && (
          <Button variant="default" onClick={onBack}>
            {t("imports.run.back")}
          </Button>
        )}
        <Button variant="subtle" color="gray" onClick={onAgain}>
          {t("imports.run.again")}
        </Button>
      </Group>
    </div>
  );
}

/** Reasons come without a full stop. */
const sentences = (reasons: readonly string[]): string =>
  reasons.map((reason) => (/[.!?。！？؟]$/u.test(reason) ? reason : `${reason}.`)).join(" ");

/** What an undo left as it is with what to do about it, and the way to it. */
function Remaining({ job }: { readonly job: Job }) {
  const { t } = useTranslation();
  const [isAsked, { open, close }] = useDisclosure();
  const isListed = job.leftAlone + job.failed + job.kept > 0;
  // Why one failed is said above.
  const why = job.state === "failed" ? "" : sentences(job.reasons);
  if (!isListed && why === "") return null;
  return (
    <>
      <Text size="sm">
        {/* Undos from before the service said why are told of in one sentence for all. */}
        {why || t("imports.run.undone_rest")}{" "}
        {isListed && (
          <Anchor component="button" type="button" size="sm" onClick={open}>
            {t("imports.run.undone_details")}
          </Anchor>
        )}
      </Text>
      <JobFailures job={isAsked ? job : undefined} close={close} />
    </>
  );
}
