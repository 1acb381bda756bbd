// A comment and its answers, and the place to answer.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordPlace } from "../../../../client/records/record-place.ts";
import type { ThreadEntry } from "../../../../client/records/timeline.ts";
import { CommentComposer } from "./comment-composer.tsx";
import { CommentItem } from "./comment-item.tsx";
import classes from "./comments.module.css";
import { isBegun, textKey } from "./kept-text.ts";

interface CommentThreadProps {
  readonly thread: ThreadEntry;
  readonly place: RecordPlace;
  readonly refresh: () => Promise<void>;
  /** Undefined where one may not comment. */
  readonly onAnswer: ((body: string) => Promise<unknown>) | undefined;
}

export function CommentThread({ thread, place, refresh, onAnswer }: CommentThreadProps) {
  const { t } = useTranslation();
  const what = ["answer", thread.id];
  /** Asked for just now, or found as it was left. */
  const [begun, setBegun] = useState<"asked" | "found" | undefined>(() =>
    isBegun(textKey(place, ...what)) ? "found" : undefined,
  );
  const isAnswering = begun !== undefined && onAnswer !== undefined;
  const { comment: root, answers, answer_count: count } = thread;
  const begin = onAnswer && root ? () => setBegun("asked") : undefined;
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
          {isAnswering && (
            <li>
              <CommentComposer
                place={place}
                label={t("comments.answer_to", { name: root?.__created_by ?? t("comments.somebody") })}
                submit={t("comments.answer")}
                what={what}
                isFocused={begun === "asked"}
                onSend={onAnswer}
                onSent={async () => {
                  await refresh();
                  setBegun(undefined);
                }}
                onCancel={() => setBegun(undefined)}
              />
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
