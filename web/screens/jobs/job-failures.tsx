// What a job could not do, record by record, and why; what it left alone because somebody changed it since; and what it kept.
import { Modal, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Job, JobFailure } from "../../../client/records/jobs.ts";
import { useFormats } from "../../fields/formats.ts";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { RecordLink } from "../../parts/record-link.tsx";
import { jobFailuresQuery, recordNamesQuery, schemaQuery } from "../../queries.ts";
import classes from "./jobs.module.css";
import { useJobTitle } from "./use-job-title.ts";

export function JobFailures({ job, close }: { readonly job: Job | undefined; readonly close: () => void }) {
  const { t } = useTranslation();
  const titleOf = useJobTitle();
  return (
    <Modal
      opened={job !== undefined}
      onClose={close}
      size="lg"
      title={job ? titleOf(job) : t("jobs.why_title")}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      {job && <Failures job={job} />}
    </Modal>
  );
}

function Failures({ job }: { readonly job: Job }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const query = useQuery(jobFailuresQuery(job.id));
  return (
    <Stack gap="sm">
      {job.reasons.map((reason) => (
        <Text key={reason} size="sm" {...(job.state === "done" ? {} : { c: "var(--mantine-color-error)" })}>
          {reason}
        </Text>
      ))}
      <Loaded query={query} skeleton={<Skeleton h={120} radius="md" />}>
        {({ failures, total }) => (
          <>
            {typesOf(failures).map((type) => (
              <FailureList
                key={type ?? ""}
                job={job}
                controller={type ?? job.controller}
                failures={failures.filter(({ controller }) => controller === type)}
              />
            ))}
            {total > failures.length && (
              <Text size="xs" c="dimmed">
                {t("jobs.more", { shown: formats.count(failures.length), total: formats.count(total) })}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Stack>
  );
}

/** Undefined: the job's own. */
const typesOf = (failures: readonly JobFailure[]): readonly (string | undefined)[] => [
  ...new Set(failures.map(({ controller }) => controller)),
];

function FailureList(given: {
  readonly job: Job;
  readonly controller: string;
  readonly failures: readonly JobFailure[];
}) {
  const { job, failures } = given;
  const { t } = useTranslation();
  const isAdding = job.kind === "add" || job.kind === "import";
  const ids = isAdding ? [] : failures.map(({ id }) => id);
  const { data: names } = useQuery({ ...recordNamesQuery(given.controller, ids), enabled: ids.length > 0 });
  const { data: schema } = useQuery({ ...schemaQuery(given.controller), enabled: !isAdding });
  const labelOf = (field: string): string => schema?.fields.find(({ name }) => name === field)?.label ?? field;
  const [module = "", controller = ""] = given.controller.split("/");
  return (
    <ul className={classes.details}>
      {failures.map(({ id, kind, reasons }) => {
        const name = names?.find((one) => one.id === id)?.name;
        return (
          <li key={`${kind} ${id}`}>
            {isAdding ? (
              <span>{t("jobs.row_number", { number: id })}</span>
            ) : (
              <RecordLink module={module} controller={controller} id={id}>
                {name ?? id}
              </RecordLink>
            )}
            <span className={classes.quiet}>
              {kind !== "left_alone" && reasons.join(" ")}
              {kind === "left_alone" &&
                // Whoever may not know the name of a removed field is told of none.
                (reasons.length > 0
                  ? t("jobs.left_alone", { fields: reasons.map(labelOf).join(", ") })
                  : t("jobs.left_alone_removed"))}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
