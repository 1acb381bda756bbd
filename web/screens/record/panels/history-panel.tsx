// What became of the record: who changed what from what to what, newest first, and the way back to any of it.
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldChange, Revision } from "../../../../client/records/history.ts";
import { useFormats } from "../../../fields/formats.ts";
import { FailureState } from "../../../parts/layout/failure-state.tsx";
import { showUndo } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { forgetRecords, historyQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import type { PanelProps } from "../panel.ts";
import classes from "./history-panel.module.css";
import { PanelSkeleton } from "./panel-skeleton.tsx";

export function HistoryPanel({ recordTypeKey, id, view, record }: PanelProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const query = useInfiniteQuery(historyQuery(recordTypeKey, id));
  const [asked, setAsked] = useState<Revision>();
  const revisions = query.data?.pages.flatMap((page) => page.revisions) ?? [];
  const [latest] = revisions;
  const revert = useWrite({
    mutationFn: ({ to }: { to: string; undoes?: boolean }) => client.history.revertRecord(recordTypeKey, id, to),
    onSuccess: (_saved, { undoes }) => {
      const before = latest?.revision;
      setAsked(undefined);
      void forgetRecords(queryClient, recordTypeKey);
      const undo = undoes || before === undefined ? undefined : () => revert.mutateAsync({ to: before, undoes: true });
      showUndo(t, t(undoes ? "history.undone" : "history.reverted"), undo);
    },
  });
  if (query.isPending) return <PanelSkeleton />;
  if (query.isError) return <FailureState error={query.error} retry={() => void query.refetch()} />;
  // What was brought in from elsewhere has no first revision: its beginning is known all the same.
  const hasBeginning = query.hasNextPage || revisions.some(({ operation }) => operation === "add");
  const textOf = (name: string): string | null => (typeof record[name] === "string" ? record[name] : null);
  const beginning: Revision = {
    revision: "",
    operation: "add",
    created: textOf("created") ?? "",
    created_by: textOf("created_by"),
    __created_by: textOf("__created_by"),
    job_id: null,
    along: [],
    changes: [],
  };
  if (revisions.length === 0 && beginning.created === "") return <Text c="dimmed">{t("history.empty")}</Text>;
  const mayRevert = view.is_editable === 1 && !view.is_record_deleted;
  return (
    <>
      <ol className={classes.list}>
        {revisions.map((revision, index) => (
          <Entry
            key={revision.revision}
            revision={revision}
            onRevert={mayRevert && index > 0 ? () => setAsked(revision) : undefined}
          />
        ))}
        {!hasBeginning && beginning.created !== "" && <Entry revision={beginning} onRevert={undefined} />}
      </ol>
      {query.hasNextPage && (
        <Button
          size="compact-sm"
          variant="subtle"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t("history.more")}
        </Button>
      )}
      <Modal
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t("history.revert_title")}
        closeButtonProps={{ "aria-label": t("actions.close") }}
        onExitTransitionEnd={revert.reset}
      >
        <Stack gap="md">
          <Text size="sm">{t("history.revert_lead", { revision: asked?.revision ?? "" })}</Text>
          {revert.error && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {revert.error.message}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => setAsked(undefined)} data-autofocus>
              {t("actions.cancel")}
            </Button>
            <Button loading={revert.isPending} onClick={() => asked && revert.mutate({ to: asked.revision })}>
              {t("history.revert")}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

const known = ["add", "edit", "delete", "restore", "revert"] as const;

function Entry({ revision, onRevert }: { readonly revision: Revision; readonly onRevert: (() => void) | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { operation, job_id: job, __created_by: who, created, changes, along } = revision;
  const verb = known.find((one) => one === operation);
  // That it was deleted is said already.
  const said = operation === "delete" || operation === "restore";
  const made = changes.filter(
    ({ field, to }) => (operation !== "add" || to !== null) && !(said && field === "deleted"),
  );
  const when = formats.dateTime(created);
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <span>
          <b>{who ?? t("history.service")}</b> {verb ? t(`history.did_${verb}`) : t("history.did_other", { operation })}
          {job !== null && (
            <>
              {" "}
              <Link
                to="/$module/$controller/view"
                params={{ module: "core", controller: "jobs" }}
                search={{ id: job }}
                className={classes.job}
              >
                {t("history.by_job")}
              </Link>
            </>
          )}
          <time className={classes.when}>{when}</time>
        </span>
        {onRevert && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconArrowBackUp size={13} stroke={1.8} aria-hidden="true" />}
            aria-label={t("history.revert_to", { when })}
            title={t("history.revert_to", { when })}
            onClick={onRevert}
          >
            {t("history.revert")}
          </Button>
        )}
      </div>
      {(made.length > 0 || along.length > 0) && (
        <ul className={classes.changes}>
          {made.map((change) => (
            <Change key={change.field} change={change} isNew={operation === "add"} />
          ))}
          {along.map((words) => (
            <li key={words}>{t("history.along", { words })}</li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** A whole document would push everything else out of sight. */
const MOST_SHOWN = 240;
const inBrief = (text: string | null): string | null =>
  text !== null && text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;

function Change({ change, isNew }: { readonly change: FieldChange; readonly isNew: boolean }) {
  const { t } = useTranslation();
  const none = <span className={classes.none}>{t("history.nothing")}</span>;
  return (
    <li>
      <span className={classes.label}>{change.label}</span>{" "}
      {!isNew && (
        <>
          <del>{inBrief(change.__from) ?? none}</del> <span aria-hidden="true">→</span>
          <span className="visually-hidden">{t("history.became")}</span>{" "}
        </>
      )}
      <ins>{inBrief(change.__to) ?? none}</ins>
    </li>
  );
}
