// Follows a job wherever the reader goes: a toast with its progress and a way to stop it, then one that says what became
// of it with the way back. Of what was done at once, only the last.
import { Button, Progress } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type QueryClient, QueryObserver, useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { BulkAnswer } from "../../../client/records/bulk.ts";
import { canUndo, isOver, type Job } from "../../../client/records/jobs.ts";
import { useFormats } from "../../fields/formats.ts";
import { showDone, showLink, showUndo, showWarning } from "../../parts/toasts.tsx";
import { forgetRecords, jobQuery, jobsQuery } from "../../queries.ts";
import { isGone } from "../../query-client.ts";
import { client } from "../../session/session.ts";
import classes from "./jobs.module.css";
import { jobTitle, useJobTitle } from "./use-job-title.ts";

export type Watch = (queryClient: QueryClient, t: TFunction, recordTypeKey: string, answer: BulkAnswer) => void;

/** What a job may have changed, and the jobs. */
export const forgetJob = (queryClient: QueryClient, key: string): Promise<unknown> =>
  Promise.all([forgetRecords(queryClient, key), queryClient.invalidateQueries({ queryKey: jobsQuery.queryKey })]);

/** What was asked for: done already, or to be followed. */
export const watchJob: Watch = (queryClient, t, key, answer) => {
  void forgetJob(queryClient, key);
  const { jobId } = answer;
  const plan = { kind: "job", key, jobId } as const;
  if (!answer.isGoingOn) return showUndo(t, answer.message, plan);
  follow(queryClient, t, key, jobId).then(
    (job) => showUndo(t, endOf(queryClient, t, job), canUndo(job) ? plan : undefined),
    (error: Error) => showWarning(error.message),
  );
};

/** Of records that moved to a newer version there is no way back; what could not be moved is told by the job. */
export async function watchMove(
  queryClient: QueryClient,
  t: TFunction,
  key: string,
  answer: BulkAnswer,
): Promise<void> {
  try {
    const job = answer.isGoingOn ? await follow(queryClient, t, key, answer.jobId) : undefined;
    const failed = job?.failed ?? Object.keys(answer.failed).length;
    const said = job ? endOf(queryClient, t, job) : answer.message;
    if (failed > 0) showLink(said, t("jobs.title"), "/core/jobs/index", "red");
    else showDone(said);
  } catch (error) {
    showWarning(error instanceof Error ? error.message : String(error));
  }
}

/** Undoes a job and follows what that takes to its end; gives what became of it. */
export async function undo(queryClient: QueryClient, t: TFunction, key: string, jobId: string): Promise<string> {
  const answer = await client.bulk.undoJob(jobId);
  void forgetJob(queryClient, key);
  return answer.isGoingOn ? endOf(queryClient, t, await follow(queryClient, t, key, answer.jobId)) : answer.message;
}

/** Fails where the job did. */
async function follow(queryClient: QueryClient, t: TFunction, key: string, jobId: string): Promise<Job> {
  const id = `job-${jobId}`;
  notifications.show({
    id,
    autoClose: false,
    closeButtonProps: { "aria-label": t("actions.close") },
    message: <FollowedJob id={jobId} />,
  });
  try {
    const job = await endOfJob(queryClient, jobId);
    if (job.state === "failed") throw new Error([t("bulk.refused"), ...job.reasons].join(". "));
    return job;
  } finally {
    notifications.hide(id);
    void forgetJob(queryClient, key);
  }
}

/** Asks on, whether its toast is still there or not; what cannot be reached is asked again. */
const endOfJob = (queryClient: QueryClient, id: string): Promise<Job> =>
  new Promise((resolve, reject) => {
    const stop = new QueryObserver(queryClient, followed(id)).subscribe(({ data, error }) => {
      if (data && isOver(data)) resolve(data);
      else if (isGone(error)) reject(error);
      else return;
      queueMicrotask(() => stop());
    });
  });

const followed = (id: string) => ({
  ...jobQuery(id),
  refetchInterval: ({ state: { data } }: { state: { data: Job | undefined } }) =>
    data && isOver(data) ? (false as const) : 700,
});

/** `Edit 2,300 leads: Done, 3 not`. */
const endOf = (queryClient: QueryClient, t: TFunction, job: Job): string =>
  [
    `${jobTitle(queryClient, t, job)}: ${t(`jobs.${job.state}`)}`,
    ...(job.failed > 0 ? [t("jobs.not_done", { count: job.failed })] : []),
    ...(job.leftAlone + job.kept > 0 ? [t("jobs.left", { count: job.leftAlone + job.kept })] : []),
  ].join(", ");

function FollowedJob({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const { data: job } = useQuery(jobQuery(id));
  const titleOf = useJobTitle();
  return (
    <div className={classes.followed}>
      <div className={classes.line}>
        <span>{job ? titleOf(job) : t("states.loading")}</span>
        <StopButton job={job} id={id} />
      </div>
      <JobProgress job={job} />
      <span className={classes.quiet}>{t("bulk.background")}</span>
    </div>
  );
}

export function StopButton({ job, id }: { readonly job: Job | undefined; readonly id: string }) {
  const { t } = useTranslation();
  const titleOf = useJobTitle();
  if (job && isOver(job)) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={t("jobs.stop_name", { title: job ? titleOf(job) : "" })}
      onClick={() => {
        client.bulk.cancelJob(id).then(
          () => showDone(t("jobs.stopped")),
          (error: unknown) => showWarning(error instanceof Error ? error.message : String(error)),
        );
      }}
    >
      {t("jobs.stop")}
    </Button>
  );
}

export function JobProgress({ job }: { readonly job: Job | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const titleOf = useJobTitle();
  const share = job && job.total > 0 ? (100 * job.done) / job.total : 0;
  return (
    <div className={classes.progress}>
      {/* What is over needs no bar: the numbers tell. */}
      {(job === undefined || !isOver(job)) && (
        <Progress value={share} size="sm" aria-label={job ? titleOf(job) : t("jobs.progress")} />
      )}
      <span className={classes.quiet}>
        {job && t("jobs.count", { done: formats.count(job.done), total: formats.count(job.total) })}
      </span>
    </div>
  );
}
