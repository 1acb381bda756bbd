// What people said about a record: threads with their answers, a place to say more, and mentions as they are typed.
import { Skeleton, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FailureState } from "../../../parts/layout/failure-state.tsx";
import { commentsQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import type { PanelProps } from "../panel.ts";
import { CommentComposer } from "./comment-composer.tsx";
import { CommentItem } from "./comment-item.tsx";
import { threadsOf } from "./comment-threads.ts";
import classes from "./comments.module.css";

export function CommentsPanel({ recordTypeKey, id, view }: PanelProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const place = { recordTypeKey, id };
  const query = commentsQuery(place);
  const { data, error, refetch } = useQuery(query);
  const [answering, setAnswering] = useState<string>();
  const mayComment = view.allow_comments === 1;
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: query.queryKey });
  const send = async (body: string, parentId?: string): Promise<void> => {
    await client.comments.addComment(place, { body, parentId });
    setAnswering(undefined);
    await refresh();
  };
  if (error) return <FailureState error={error} retry={() => void refetch()} />;
  if (data === undefined) return [80, 60, 72].map((width) => <Skeleton key={width} h={11} w={`${width}%`} my={16} />);
  return (
    <div className={classes.panel}>
      {data.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(mayComment ? "comments.none" : "comments.none_readonly")}
        </Text>
      )}
      <ul className={classes.threads}>
        {threadsOf(data).map(({ root, id: rootId, answers }) => (
          <li key={rootId}>
            {root ? (
              <CommentItem
                comment={root}
                place={place}
                refresh={refresh}
                onAnswer={mayComment ? () => setAnswering(rootId) : undefined}
              />
            ) : (
              <p className={classes.gone}>{t("comments.gone")}</p>
            )}
            {(answers.length > 0 || answering === rootId) && (
              <ul className={classes.answers}>
                {answers.map((answer) => (
                  <li key={answer.id}>
                    <CommentItem
                      comment={answer}
                      place={place}
                      refresh={refresh}
                      onAnswer={mayComment && root ? () => setAnswering(rootId) : undefined}
                    />
                  </li>
                ))}
                {answering === rootId && (
                  <li>
                    <CommentComposer
                      place={place}
                      label={t("comments.answer_to", { name: root?.author ?? t("comments.somebody") })}
                      submit={t("comments.answer")}
                      isFocused
                      onSend={(body) => send(body, rootId)}
                      onCancel={() => setAnswering(undefined)}
                    />
                  </li>
                )}
              </ul>
            )}
          </li>
        ))}
      </ul>
      {mayComment && (
        <CommentComposer
          place={place}
          label={t("comments.write")}
          submit={t("comments.send")}
          hasKey
          onSend={(body) => send(body)}
        />
      )}
    </div>
  );
}
