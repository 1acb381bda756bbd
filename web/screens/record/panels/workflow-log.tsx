// How the record came to where it is: who moved it, when, what was said, and how long it stayed in each stage.
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { StageLogEntry } from "../../../../client/records/workflow.ts";
import { Loaded } from "../../../parts/layout/loaded.tsx";
import { Moment } from "../../../parts/moment.tsx";
import { useDuration } from "../../../parts/use-age.ts";
import { stageLogQuery } from "../../../queries.ts";
import type { PanelProps } from "../panel.ts";
import { PanelSkeleton } from "./panel-skeleton.tsx";
import classes from "./workflow-log.module.css";

export function WorkflowLog({ recordTypeKey, id }: PanelProps) {
  const { t } = useTranslation();
  const query = useQuery(stageLogQuery(recordTypeKey, id));
  return (
    <Loaded query={query} skeleton={<PanelSkeleton />}>
      {(entries) =>
        entries.length === 0 ? (
          <Text c="dimmed" size="sm">
            {t("workflow.log_empty")}
          </Text>
        ) : (
          <ol className={classes.log}>
            {[...entries].reverse().map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}

function Entry({ entry }: { readonly entry: StageLogEntry }) {
  const { t } = useTranslation();
  const duration = useDuration();
  const { step, __from: from, __to: to, label, comment, created, seconds, left } = entry;
  const who = entry.__created_by ?? t("history.service");
  return (
    <li className={classes.entry} data-kind={entry.kind ?? undefined}>
      <strong>{step === "vote" ? t("workflow.log_vote", { label: label ?? "" }) : to}</strong>
      <Text size="xs" c="dimmed" component="p">
        {step === "start" && t("workflow.log_started", { who })}
        {step !== "start" && t("workflow.log_by", { who, label: label ?? "" })} · <Moment text={created} none="" />
      </Text>
      {step === "move" && from !== null && (
        <Text size="xs" c="dimmed" component="p">
          {t("workflow.log_from", { stage: from })}
        </Text>
      )}
      {comment !== null && <blockquote className={classes.comment}>{comment}</blockquote>}
      {seconds !== null && (
        <Text size="xs" c="dimmed" component="p">
          {t(left === null ? "workflow.log_stays" : "workflow.log_stayed", { age: duration(Number(seconds)) })}
        </Text>
      )}
    </li>
  );
}
