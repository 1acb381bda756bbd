// One thing that happened to a record, in a line with what it changed: an edit, several edits together, a step in the workflow, a file.
import { ActionIcon, UnstyledButton } from "@mantine/core";
import { IconArrowBackUp, IconChevronDown } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldChange } from "../../../../client/records/history.ts";
import type { ChangeEntry, FileEntry, StageEntry, Step } from "../../../../client/records/timeline.ts";
import { readInstant } from "../../../../client/transport/instant.ts";
import { downloadFile } from "../../../fields/files/use-file-url.ts";
import { useFormats } from "../../../fields/formats.ts";
import { Face } from "../../../parts/layout/face.tsx";
import { showWarning } from "../../../parts/toasts.tsx";
import { ChangedFields, changeText } from "./change-text.ts";
import { inBrief, isDocument } from "./in-brief.ts";
import classes from "./timeline.module.css";
import { besideMove, type FoldedEdits } from "./timeline-entries.ts";

interface TimelineEventProps {
  readonly entry: ChangeEntry | FoldedEdits | StageEntry | FileEntry;
  /** What goes back to how the record was after it; undefined where there is nothing to go back to. */
  readonly restore: (entry: ChangeEntry) => (() => void) | undefined;
}

export function TimelineEvent({ entry, restore }: TimelineEventProps) {
  const { t } = useTranslation();
  switch (entry.kind) {
    case "edits":
      return <Edits folded={entry} restore={restore} />;
    case "change":
      return <Change entry={entry} restore={restore(entry)} />;
    case "stage":
      return (
        <Line by={entry.__created_by} at={entry.at} what={<StepWords step={entry.step} />}>
          <Reason step={entry.step} />
        </Line>
      );
    case "file":
      return (
        <Line
          by={entry.__created_by}
          at={entry.at}
          what={
            <>
              {t("timeline.added_file")} <FileLink entry={entry} />
            </>
          }
        />
      );
  }
}

function FileLink({ entry: { id, name } }: { readonly entry: FileEntry }) {
  const place = { recordTypeKey: "core/attachments", id, field: "file" };
  return (
    <UnstyledButton
      className={classes.file ?? ""}
      onClick={() => downloadFile(place, name).catch((error: Error) => showWarning(error.message))}
    >
      {name}
    </UnstyledButton>
  );
}

interface LineProps {
  readonly by: string | null;
  readonly at: string;
  readonly what: ReactNode;
  readonly restore?: (() => void) | undefined;
  readonly children?: ReactNode;
}

/** Who did what, and when; what there is to say about it stands below. */
function Line({ by, at, what, restore, children }: LineProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const who = by ?? t("history.service");
  const date = readInstant(at);
  const when = formats.dateTime(at);
  return (
    <div className={classes.event}>
      <Face name={who} size={20} />
      <div className={classes.told}>
        <div className={classes.line}>
          <span className={classes.words}>
            <b>{who}</b> {what}
          </span>
          {restore && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={22}
              className={classes.restore ?? ""}
              aria-label={t("history.revert_to", { when })}
              title={t("history.revert_to", { when })}
              onClick={restore}
            >
              <IconArrowBackUp size={14} stroke={1.8} />
            </ActionIcon>
          )}
          {date && (
            <time className={classes.time} dateTime={date.toISOString()} title={formats.exact(date)}>
              {formats.time(date)}
            </time>
          )}
        </div>
        {children}
      </div>
    </div>
  );
}

function StepWords({ step }: { readonly step: Step }) {
  const { t } = useTranslation();
  if (step.step === "vote") return t("workflow.log_vote", { label: step.label ?? "" });
  return (
    <>
      {t(step.step === "start" ? "timeline.started" : "timeline.moved")} <b>{step.__to}</b>
    </>
  );
}

const Reason = ({ step }: { readonly step: Step | null }) =>
  step?.comment == null ? null : (
    <blockquote className={classes.reason} dir="auto">
      {step.comment}
    </blockquote>
  );

const known = ["add", "delete", "restore", "revert"] as const;

function Change({ entry, restore }: { readonly entry: ChangeEntry; readonly restore: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { operation, step, job_id: job, along } = entry;
  // That it was deleted is said already, and what a new record began with is on its page.
  const isSaid = operation !== "edit" && operation !== "revert" && known.some((one) => one === operation);
  const changes = isSaid ? [] : besideMove(entry);
  const verb = known.find((one) => one === operation);
  const [only] = changes;
  const moved = step?.step === "start" ? null : step;
  const isOne = !verb && moved === null && operation === "edit" && changes.length === 1 && along.length === 0;
  const what =
    verb !== undefined ? (
      t(`history.did_${verb}`)
    ) : moved ? (
      <StepWords step={moved} />
    ) : operation !== "edit" ? (
      t("history.did_other", { operation })
    ) : isOne && only ? (
      <>
        {t("timeline.changed")} <ChangeWords change={only} />
      </>
    ) : changes.length === 0 ? (
      t("history.did_edit")
    ) : (
      t("timeline.changed_fields", { count: changes.length })
    );
  return (
    <Line
      by={entry.__created_by}
      at={entry.at}
      restore={restore}
      what={
        <>
          {what}
          {job !== null && <JobLink id={job} />}
        </>
      }
    >
      <Reason step={step} />
      {!isOne && <Changes changes={changes} along={along} />}
    </Line>
  );
}

function JobLink({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  return (
    <>
      {" "}
      <Link
        to="/$module/$controller/view"
        params={{ module: "core", controller: "jobs" }}
        search={{ id }}
        className={classes.job}
      >
        {t("history.by_job")}
      </Link>
    </>
  );
}

function Edits({ folded, restore }: { readonly folded: FoldedEdits; readonly restore: TimelineEventProps["restore"] }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { edits, changes } = folded;
  return (
    <Line
      by={edits[0]?.__created_by ?? null}
      at={folded.at}
      what={changes.length === 0 ? t("history.did_edit") : t("timeline.changed_fields", { count: changes.length })}
    >
      {!isOpen && <Changes changes={changes} along={[]} />}
      <UnstyledButton className={classes.unfold ?? ""} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t("timeline.edits", { count: edits.length })}
        <IconChevronDown size={13} stroke={1.8} aria-hidden="true" />
      </UnstyledButton>
      {isOpen && (
        <ol className={classes.entries}>
          {edits.map((edit) => (
            <li key={edit.id}>
              <Change entry={edit} restore={restore(edit)} />
            </li>
          ))}
        </ol>
      )}
    </Line>
  );
}

function Changes({ changes, along }: { readonly changes: readonly FieldChange[]; readonly along: readonly string[] }) {
  const { t } = useTranslation();
  if (changes.length === 0 && along.length === 0) return null;
  return (
    <ul className={classes.changes}>
      {changes.map((change) => (
        <li key={change.field}>
          <ChangeWords change={change} />
        </li>
      ))}
      {along.map((words) => (
        <li key={words}>{t("history.along", { words })}</li>
      ))}
    </ul>
  );
}

function ChangeWords({ change }: { readonly change: FieldChange }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const element = useContext(ChangedFields).get(change.field);
  const { label } = change;
  const words = { yes: t("values.yes"), no: t("values.no") };
  const from = changeText(element, change.from, change.__from, formats, words);
  const to = changeText(element, change.to, change.__to, formats, words);
  const none = <span className={classes.none}>{t("history.nothing")}</span>;
  if (isDocument(from) || isDocument(to)) return <span className={classes.label}>{label}</span>;
  return (
    <span className={classes.change}>
      <span className={classes.label}>{label}</span> <del>{inBrief(from) ?? none}</del>{" "}
      <span aria-hidden="true" className={classes.arrow}>
        →
      </span>
      <span className="visually-hidden">{t("history.became")}</span> <ins>{inBrief(to) ?? none}</ins>
    </span>
  );
}
