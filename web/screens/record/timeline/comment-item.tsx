// One comment: who, when, what; its author changes it where it stands, and deletes it with a way back.
import { ActionIcon, Menu } from "@mantine/core";
import { IconCornerDownRight, IconDots, IconPencil, IconTrash } from "@tabler/icons-react";

import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordPlace } from "../../../../client/records/record-place.ts";
import type { Comment } from "../../../../client/records/timeline.ts";
import { Ago } from "../../../parts/ago.tsx";
import { Face } from "../../../parts/layout/face.tsx";
import { showUndo, showWarning } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { client } from "../../../session/session.ts";
import { useSession } from "../../../session/use-session.ts";
import { CommentComposer } from "./comment-composer.tsx";
import classes from "./comments.module.css";
import { isBegun, textKey } from "./kept-text.ts";

interface CommentItemProps {
  readonly comment: Comment;
  readonly place: RecordPlace;
  readonly refresh: () => Promise<void>;
  readonly onAnswer: (() => void) | undefined;
}

/** Asked for just now, or found as it was left. */
type Begun = "asked" | "found";

const COMMENTS = "core/comments";

export function CommentItem({ comment, place, refresh, onAnswer }: CommentItemProps) {
  const { t } = useTranslation();
  const { identity } = useSession();
  const what = ["edit", comment.id];
  const [edited, setEdited] = useState<Begun | undefined>(() =>
    isBegun(textKey(place, ...what)) ? "found" : undefined,
  );
  const author = comment.__created_by ?? t("comments.somebody");
  const isMine = comment.created_by !== null && comment.created_by === identity?.userId;
  const remove = useWrite({
    mutationFn: () => client.records.deleteRecord(COMMENTS, comment.id),
    onSuccess: async () => {
      await refresh();
      showUndo(t, t("comments.deleted"), async () => {
        await client.records.restoreRecord(COMMENTS, comment.id);
        await refresh();
        return t("comments.restored");
      });
    },
    onError: (error) => showWarning(error.message),
  });
  return (
    <article className={classes.comment} aria-label={author}>
      <Face name={author} size={24} />
      <div className={classes.said}>
        <header className={classes.who}>
          <span className={classes.author}>{author}</span>
          <span className={classes.when}>
            <Ago text={comment.created} />
            {comment.modified > comment.created && ` · ${t("comments.edited")}`}
          </span>
          <span className={classes.actions}>
            {onAnswer && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={24}
                aria-label={t("comments.answer_to", { name: author })}
                onClick={onAnswer}
              >
                <IconCornerDownRight size={15} stroke={1.6} />
              </ActionIcon>
            )}
            {(isMine || comment.is_deletable === 1) && (
              <Menu position="bottom-end" width={150} shadow="md" offset={2} withInitialFocusPlaceholder={false}>
                <Menu.Target>
                  <ActionIcon variant="subtle" color="gray" size={24} aria-label={t("comments.more", { name: author })}>
                    <IconDots size={15} stroke={1.6} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  {isMine && (
                    <Menu.Item leftSection={<IconPencil size={15} stroke={1.6} />} onClick={() => setEdited("asked")}>
                      {t("comments.edit")}
                    </Menu.Item>
                  )}
                  {comment.is_deletable === 1 && (
                    <Menu.Item
                      color="var(--mantine-color-error)"
                      leftSection={<IconTrash size={15} stroke={1.6} />}
                      onClick={() => remove.mutate()}
                    >
                      {t("comments.delete")}
                    </Menu.Item>
                  )}
                </Menu.Dropdown>
              </Menu>
            )}
          </span>
        </header>
        {edited !== undefined && isMine ? (
          <CommentComposer
            place={place}
            label={t("comments.edit")}
            submit={t("comments.save")}
            initial={comment.body}
            what={what}
            isFocused={edited === "asked"}
            onSend={(body) => client.comments.changeComment(comment.id, body)}
            onSent={async () => {
              await refresh();
              setEdited(undefined);
            }}
            onCancel={() => setEdited(undefined)}
          />
        ) : (
          <p className={classes.body} dir="auto">
            <Said text={comment.body} />
          </p>
        )}
      </div>
    </article>
  );
}

/** Mentions stand out, addresses can be followed; everything else is text. */
const marked =
  /(?<![\p{L}\p{N}._@+-])(@[\p{L}\p{N}._@+-]{2,64}[\p{L}\p{N}])|(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}'])/gu;

function Said({ text }: { readonly text: string }) {
  const parts: { readonly at: number; readonly text: string; readonly kind: "text" | "mention" | "link" }[] = [];
  let from = 0;
  for (const found of text.matchAll(marked)) {
    if (found.index > from) parts.push({ at: from, text: text.slice(from, found.index), kind: "text" });
    parts.push({ at: found.index, text: found[0], kind: found[1] === undefined ? "link" : "mention" });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ at: from, text: text.slice(from), kind: "text" });
  return parts.map(({ at, text: part, kind }) =>
    kind === "mention" ? (
      <strong key={at} className={classes.mention}>
        {part}
      </strong>
    ) : kind === "link" ? (
      <a key={at} href={part} target="_blank" rel="noreferrer noopener">
        {part}
      </a>
    ) : (
      <Fragment key={at}>{part}</Fragment>
    ),
  );
}
