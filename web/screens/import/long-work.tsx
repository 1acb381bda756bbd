// A job under way: how far it is, how fast it goes, how long it still takes, and a way to stop it.
import { Progress } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Job } from "../../../client/records/jobs.ts";
import { useFormats } from "../../fields/formats.ts";
import { StopButton } from "../jobs/watch-job.tsx";
import classes from "./import.module.css";
import { lengthOf, paceOf, type Seen, see } from "./pace.ts";

interface LongWorkProps {
  readonly job: Job | undefined;
  readonly id: string;
  readonly label: string;
}

export function LongWork({ job, id, label }: LongWorkProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [seen, setSeen] = useState<readonly Seen[]>([]);
  const { done = 0, total = 0 } = job ?? {};
  useEffect(() => {
    if (total > 0) setSeen((before) => see(before, { at: Date.now(), done }));
  }, [done, total]);
  const pace = paceOf(seen, total);
  const left = pace && lengthOf(pace.secondsLeft);
  return (
    <div className={classes.work}>
      <div className={classes.line}>
        <span>{label}</span>
        <StopButton job={job} id={id} />
      </div>
      <Progress value={total > 0 ? (100 * done) / total : 0} size="sm" aria-label={label} />
      <div className={classes.pace}>
        <span role="status">
          {total === 0
            ? t(job?.state === "queued" ? "imports.run.waiting" : "imports.run.reading")
            : t("jobs.count", { done: formats.count(done), total: formats.count(total) })}
        </span>
        {pace && left && (
          <span>
            {t("imports.run.pace", {
              rate: formats.count(Math.round(pace.rate)),
              left: formats.measure(left.value, left.unit),
            })}
          </span>
        )}
      </div>
    </div>
  );
}
