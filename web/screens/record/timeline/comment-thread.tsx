// A comment and its answers, and the place to answer.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordPlace } from "../../../../client/records/record-place.ts";
import type { ThreadEntry } from "../../../../client/records/timeline.ts";
import { CommentComposer } from "./comment-composer.tsx";
import { CommentItem } from "./comment-item.tsx";
import classes from "./comments.module.css";

interface CommentThreadProps {
  readonly thread: ThreadEntry;
  readonly place: RecordPlace;
  readonly refresh: () => Promise<void>;
  /** Undefined where one may not comment. */
  readonly onAnswer: ((body: string) => Promise<void>) | undefined;
}

export function CommentThread({ thread, place, refresh, onAnswer }: CommentThreadProps) {
  const { t } = useTranslation();
  const [isAnswering, setAnswering] = useState(false);
  const { comment: root, answers, answer_count: count } = thread;
  const begin = onAnswer && root ? () => setAnswering(true) : undefined;
  return (
    <div className={classes.thread}>
      {root ? (
        <CommentItem comment={root} place={place} refresh={refresh} onAnswer={begin} />
      ) : (
        <p className={classes.gone}>{t("comments.gone")}</p>
      )}
      {(answers.length > 0 || isAnswering) && (
        <ul className={classes.answers}>
          {count > answers.length && (
            <li className={classes.gone}>{t("comments.earlier_answers", { count: count - answers.length })}</li>
          )}
          {answers.map((answer) => (
            <li key={answer.id}>
              <CommentItem comment={answer} place={place} refresh={refresh} onAnswer={begin} />
            </li>
          ))}
          {isAnswering && onAnswer && (
            <li>
              <CommentComposer
                place={place}
                label={t("comments.answer_to", { name: root?.__created_by ?? t("comments.somebody") })}
                submit={t("comments.answer")}
                isFocused
                onSend={async (body) => {
                  await onAnswer(body);
                  setAnswering(false);
                }}
                onCancel={() => setAnswering(false)}
              />
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
