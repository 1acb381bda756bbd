// What would happen, before anything does: how many records are new or change, and what is wrong with the others, to be
// corrected on the spot and checked again.
import { Button, Group, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import type { FoundFile } from "../../../../client/records/imports.ts";
import { isOver, type Job } from "../../../../client/records/jobs.ts";
import { reasonsOf } from "../../../../client/transport/wire-failure.ts";
import { useFormats } from "../../../fields/formats.ts";
import { keepFile } from "../../../parts/keep-file.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { Section } from "../../../parts/layout/section.tsx";
import { showWarning } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { jobsQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import { correct, countCorrections, requestOf } from "../choices.ts";
import { Counts } from "../counts.tsx";
import classes from "../import.module.css";
import type { Change, Kept } from "../kept.ts";
import { LongWork } from "../long-work.tsx";
import { useCheck } from "../use-check.ts";
import { watchedJobQuery } from "../watched-job.ts";
import { FaultTable } from "./fault-table.tsx";

interface CheckStepProps {
  readonly schema: RecordTypeSchema;
  readonly found: FoundFile;
  readonly kept: Kept;
  readonly change: (change: Change) => void;
}

export function CheckStep({ schema, found, kept, change }: CheckStepProps) {
  const { t } = useTranslation();
  const id = kept.check?.jobId;
  const { data: job, error } = useQuery({ ...watchedJobQuery(id ?? ""), enabled: id !== undefined });
  const place = useRef<HTMLDivElement>(null);
  // What was asked for comes into sight; those who come back to the page stay where they are.
  const before = useRef(id);
  useEffect(() => {
    if (id === undefined || id === before.current) return;
    before.current = id;
    place.current?.scrollIntoView({ block: "start" });
    place.current?.focus({ preventScroll: true });
  }, [id]);
  // What it found takes more room than its progress; those who went on to something else stay there.
  const isChecked = job !== undefined && isOver(job);
  useEffect(() => {
    const box = place.current;
    const isInSight = box !== null && box.getBoundingClientRect().top < window.innerHeight;
    if (isChecked && isInSight && document.activeElement === box) box.scrollIntoView({ block: "start" });
  }, [isChecked]);
  if (id === undefined) return null;
  return (
    <div ref={place} tabIndex={-1} className={classes.place}>
      <Section title={t("imports.check.title")}>
        {error ? (
          <Notice tone="bad" title={t("imports.check.failed")}>
            {reasonsOf(error).join(" ")}
          </Notice>
        ) : job === undefined || !isOver(job) ? (
          <LongWork job={job} id={id} label={t("imports.check.running")} />
        ) : (
          <Checked {...{ schema, found, kept, change, job }} />
        )}
      </Section>
    </div>
  );
}

function Checked({ schema, found, kept, change, job }: CheckStepProps & { readonly job: Job }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const { key, plural } = schema.recordType;
  const { choices } = kept;
  const check = useCheck(key, kept, found, change);
  const run = useWrite({
    mutationFn: () => client.imports.runImport(key, requestOf(kept, found, false)),
    onSuccess: ({ jobId }) => {
      void queryClient.invalidateQueries({ queryKey: jobsQuery.queryKey });
      change((now) => ({ ...now, run: jobId }));
    },
  });
  const download = useMutation({
    mutationFn: () => client.imports.readFaultyRows(job.id),
    onSuccess: ({ name, content }) => keepFile(name ?? "rows.csv", content),
    onError: (error) => showWarning(error.message),
  });
  const { added = 0, changed = 0 } = job.counts ?? {};
  const count = added + changed;
  const corrected = countCorrections(choices.corrections);
  const isStale = JSON.stringify(kept.check?.corrections) !== JSON.stringify(choices.corrections);
  const failed = check.error ?? run.error;
  return (
    <div className={classes.stack}>
      {job.state === "done" ? (
        <Counts counts={{ ...job.counts, failed: job.failed }} isCheck />
      ) : (
        <Notice tone="bad" title={t(job.state === "failed" ? "imports.check.failed" : "imports.check.stopped")}>
          {job.reasons.join(" ") || t("imports.check.again_lead")}
        </Notice>
      )}
      {failed && (
        <Notice tone="bad" title={t(check.error ? "imports.check.failed" : "imports.run.failed")}>
          {reasonsOf(failed).join(" ")}
        </Notice>
      )}
      <Group gap="sm" className={classes.next ?? ""}>
        {isStale || job.state !== "done" ? (
          <Button onClick={() => check.mutate()} loading={check.isPending}>
            {t("imports.check.again")}
          </Button>
        ) : (
          <Button onClick={() => run.mutate()} loading={run.isPending} disabled={count === 0}>
            {count === 0 ? t("imports.run.nothing") : t("imports.run.start", { count, shown: formats.count(count) })}
          </Button>
        )}
        {job.failed > 0 && job.state === "done" && (
          <Button
            variant="default"
            leftSection={<IconDownload size={15} stroke={1.6} aria-hidden="true" />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            {t("imports.check.download")}
          </Button>
        )}
        <Text size="sm" c="dimmed" role="status">
          {isStale
            ? t("imports.check.corrected", { count: corrected })
            : job.state === "done" && job.failed > 0
              ? t("imports.check.skips", { count: job.failed, shown: formats.count(job.failed) })
              : job.state === "done" && count > 0
                ? t("imports.check.undo_lead", { type: plural })
                : null}
        </Text>
      </Group>
      {job.faults.length > 0 && (
        <>
          <Text size="sm" c="dimmed">
            {t("imports.check.faults_lead")}
            {job.faults.length >= 100 && ` ${t("imports.check.first", { count: job.faults.length })}`}
          </Text>
          <FaultTable
            faults={job.faults}
            corrections={choices.corrections}
            onCorrect={(row, column, text) =>
              change((now) => ({
                ...now,
                choices: { ...now.choices, corrections: correct(now.choices.corrections, row, column, text) },
              }))
            }
            onEnter={() => check.mutate()}
          />
        </>
      )}
    </div>
  );
}
