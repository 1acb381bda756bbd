// Jobs: what was done to many records at once and what is under way, with a way to stop, to undo, and to see what failed.
import { Button, Group, Skeleton, VisuallyHidden } from "@mantine/core";
import { IconProgress } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isOver, type Job, undoOffer } from "../../../client/records/jobs.ts";
import { useFormats } from "../../fields/formats.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { PageHead } from "../../parts/layout/page-head.tsx";
import { ScrollRegion } from "../../parts/layout/scroll-region.tsx";
import table from "../../parts/layout/table.module.css";
import { Tag } from "../../parts/layout/tag.tsx";
import { showDone, showWarning } from "../../parts/toasts.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { jobsQuery } from "../../queries.ts";
import { JobFailures } from "./job-failures.tsx";
import classes from "./jobs.module.css";
import { useJobTitle } from "./use-job-title.ts";
import { JobProgress, StopButton, undo } from "./watch-job.tsx";

export function JobsScreen() {
  const { t } = useTranslation();
  usePageTitle(t("jobs.title"));
  const query = useQuery({
    ...jobsQuery,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.every(isOver) ? 10_000 : 700),
  });
  const [asked, setAsked] = useState<Job>();
  return (
    <div className={classes.page}>
      <PageHead title={t("jobs.title")} lead={t("jobs.lead")} />
      <Loaded query={query} skeleton={<Skeleton h={240} radius="md" />}>
        {(jobs) =>
          jobs.length === 0 ? (
            <EmptyState icon={IconProgress} title={t("jobs.empty")} text={t("jobs.empty_lead")} />
          ) : (
            <JobTable jobs={jobs} onAsk={setAsked} />
          )
        }
      </Loaded>
      <JobFailures job={asked} close={() => setAsked(undefined)} />
    </div>
  );
}

const tones = { queued: "plain", running: "word", done: "good", failed: "bad", cancelled: "plain" } as const;

function JobTable({ jobs, onAsk }: { readonly jobs: readonly Job[]; readonly onAsk: (job: Job) => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const titleOf = useJobTitle();
  return (
    <div className={table.room}>
      <ScrollRegion label={t("jobs.list")}>
        <table className={`${table.table} ${table.stacked}`}>
          <thead>
            <tr>
              <th scope="col">{t("jobs.job")}</th>
              <th scope="col" className={classes.wide}>
                {t("jobs.started")}
              </th>
              <th scope="col">{t("jobs.state")}</th>
              <th scope="col" className={classes.wide}>
                {t("jobs.progress")}
              </th>
              <th scope="col">
                <VisuallyHidden>{t("jobs.actions")}</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            {jobs.map((job) => (
              <tr key={job.id}>
                <th scope="row">
                  {titleOf(job)}
                  <div className={classes.quiet}>
                    {job.startedBy !== null && t("jobs.by", { name: job.startedBy })}
                    {job.failed > 0 && ` · ${t("jobs.not_done", { count: job.failed })}`}
                    {job.leftAlone + job.kept > 0 && ` · ${t("jobs.left", { count: job.leftAlone + job.kept })}`}
                  </div>
                  <div className={classes.narrow}>
                    <JobProgress job={job} />
                  </div>
                </th>
                <td className={classes.wide}>{job.created !== null && formats.dateTime(job.created)}</td>
                <td>
                  {/* Said when it changes. */}
                  <span role="status">
                    <Tag tone={tones[job.state]}>{t(job.undoneBy === null ? `jobs.${job.state}` : "jobs.undone")}</Tag>
                  </span>
                </td>
                <td className={classes.wide}>
                  <JobProgress job={job} />
                </td>
                <td className={classes.do}>
                  <JobActions job={job} undoing={jobs.find(({ id }) => id === job.undoneBy)} onAsk={onAsk} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  );
}

interface JobActionsProps {
  readonly job: Job;
  /** What undoes it, where that is among the latest as well. */
  readonly undoing: Job | undefined;
  readonly onAsk: (job: Job) => void;
}

function JobActions({ job, undoing, onAsk }: JobActionsProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const titleOf = useJobTitle();
  const offer = undoOffer(job, undoing);
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {(job.failed > 0 || job.leftAlone + job.kept > 0 || job.reasons.length > 0) && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-label={t("jobs.why_name", { title: titleOf(job) })}
          onClick={() => onAsk(job)}
        >
          {t("jobs.why")}
        </Button>
      )}
      <StopButton job={job} id={job.id} />
      {offer && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t(offer === "rest" ? "jobs.undo_rest_name" : "jobs.undo_name", { title: titleOf(job) })}
          onClick={() => {
            undo(queryClient, t, job.controller, job.id).then(
              (said) => showDone(said),
              (error: unknown) => showWarning(error instanceof Error ? error.message : String(error)),
            );
          }}
        >
          {t(offer === "rest" ? "imports.run.undo_rest" : "record.undo")}
        </Button>
      )}
    </Group>
  );
}
