// What happened to the record and what people said about it, in one stream: a place to comment on top, then by day, newest first.
import { Button, Text, UnstyledButton } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChangeEntry, TimelineKind } from "../../../../client/records/timeline.ts";
import { readInstant } from "../../../../client/transport/instant.ts";
import { useFormats } from "../../../fields/formats.ts";
import { FailureState } from "../../../parts/layout/failure-state.tsx";
import { timelineQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import { elementsOf, fieldName } from "../form/form-rules.ts";
import type { PanelProps } from "../panel.ts";
import { PanelSkeleton } from "../panels/panel-skeleton.tsx";
import { ChangedFields } from "./change-text.ts";
import { CommentComposer } from "./comment-composer.tsx";
import { CommentThread } from "./comment-thread.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";
import classes from "./timeline.module.css";
import { timelineDays } from "./timeline-entries.ts";
import { TimelineEvent } from "./timeline-event.tsx";

const everything: readonly TimelineKind[] = ["comment", "change", "stage", "file"];

const filters = {
  all: everything,
  comments: ["comment"],
  changes: ["change"],
  stages: ["stage"],
  files: ["file"],
} as const;
type Filter = keyof typeof filters;

export function TimelinePanel({ recordTypeKey, id, view, record }: PanelProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const place = { recordTypeKey, id };
  const hasComments = view.model_behaviours?.comments === 1 && !view.is_record_deleted;
  const mayComment = hasComments && view.allow_comments === 1;
  const [filter, setFilter] = useState<Filter>("all");
  const [restored, setRestored] = useState<ChangeEntry>();
  const kinds = filters[filter];
  const query = useInfiniteQuery(timelineQuery(recordTypeKey, id, kinds));
  const offered = (["all", "comments", "changes", "stages", "files"] as const).filter(
    (one) => (one !== "comments" || hasComments) && (one !== "stages" || view.workflow !== undefined),
  );
  const refresh = (): Promise<void> =>
    queryClient.invalidateQueries({ queryKey: timelineQuery(recordTypeKey, id, []).queryKey.slice(0, 4) });
  const send = (body: string, parentId?: string): Promise<unknown> =>
    client.comments.addComment(place, { body, parentId });
  const pages = query.data?.pages ?? [];
  const entries = pages.flatMap(({ timeline }) => timeline);
  const latest = entries.find((entry) => entry.kind === "change");
  const isWhole = query.isSuccess && !query.hasNextPage;
  const beginning = kinds.some((kind) => kind === "change") && isWhole ? beginningOf(record, entries) : undefined;
  const dayOf = (at: string): string => {
    const date = readInstant(at);
    return date === undefined ? "" : formats.day(date);
  };
  const days = timelineDays(beginning ? [...entries, beginning] : entries, dayOf);
  const now = new Date();
  const near = new Map([
    [formats.day(new Date(now.getTime() - 86_400_000)), t("timeline.yesterday")],
    [formats.day(now), t("timeline.today")],
  ]);
  const fields = new Map(elementsOf(view.form).map((element) => [fieldName(element), element]));
  const mayRestore = view.is_editable === 1 && !view.is_record_deleted;
  const restore = (entry: ChangeEntry): (() => void) | undefined =>
    mayRestore && entry.revision !== "" && entry.id !== latest?.id ? () => setRestored(entry) : undefined;
  return (
    <div className={classes.panel}>
      {mayComment && (
        <CommentComposer
          place={place}
          label={t("comments.write")}
          submit={t("comments.send")}
          hasKey
          onSend={(body) => send(body)}
          onSent={refresh}
        />
      )}
      <fieldset className={classes.filters} aria-label={t("timeline.filter")}>
        {offered.map((one) => (
          <UnstyledButton
            key={one}
            className={classes.filter ?? ""}
            aria-pressed={one === filter}
            onClick={() => setFilter(one)}
          >
            {t(`timeline.${one}`)}
          </UnstyledButton>
        ))}
      </fieldset>
      {query.isPending && <PanelSkeleton />}
      {query.isError && <FailureState error={query.error} retry={() => void query.refetch()} />}
      {isWhole && days.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(filter === "comments" && mayComment ? "timeline.first_comment" : `timeline.none_${filter}`)}
        </Text>
      )}
      <ChangedFields value={fields}>
        {days.map(({ day, entries: some }) => (
          <section key={day} aria-label={near.get(day) ?? day}>
            <h3 className={classes.day}>{near.get(day) ?? day}</h3>
            <ol className={classes.entries}>
              {some.map((entry) => (
                <li key={`${entry.kind} ${entry.id}`}>
                  {entry.kind === "comment" ? (
                    <CommentThread
                      thread={entry}
                      place={place}
                      refresh={refresh}
                      onAnswer={mayComment ? (body) => send(body, entry.id) : undefined}
                    />
                  ) : (
                    <TimelineEvent entry={entry} restore={restore} />
                  )}
                </li>
              ))}
            </ol>
          </section>
        ))}
      </ChangedFields>
      {query.hasNextPage && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          className={classes.earlier ?? ""}
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t("timeline.earlier")}
        </Button>
      )}
      <RestoreDialog {...place} asked={restored} latest={latest?.id} close={() => setRestored(undefined)} />
    </div>
  );
}

/** What was brought in from elsewhere has no first revision: its beginning is known all the same. */
function beginningOf(
  record: PanelProps["record"],
  entries: readonly { readonly kind: string; readonly operation?: string }[],
): ChangeEntry | undefined {
  const textOf = (name: string): string | null => (typeof record[name] === "string" ? record[name] : null);
  const created = textOf("created");
  if (created === null || entries.some(({ operation }) => operation === "add")) return undefined;
  return {
    kind: "change",
    id: "",
    at: created,
    revision: "",
    operation: "add",
    created,
    created_by: textOf("created_by"),
    __created_by: textOf("__created_by"),
    job_id: null,
    along: [],
    changes: [],
    step: null,
  };
}
