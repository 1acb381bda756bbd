// What a person was told, newest first: each leads to its record, and is read once it was followed.
import { Button, Skeleton } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Told } from "../../../client/people/notifications.ts";
import { notificationsQuery, unreadQuery } from "../../queries.ts";
import { client } from "../../session/session.ts";
import { Ago } from "../ago.tsx";
import { FailureState } from "../layout/failure-state.tsx";
import { useWrite } from "../use-write.ts";
import classes from "./bell.module.css";

export function NotificationList({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(notificationsQuery);
  const mark = useWrite({
    mutationFn: (id: string | undefined) => client.notifications.markRead(id),
    onSuccess: ({ data: { unread } }) => {
      queryClient.setQueryData(unreadQuery.queryKey, unread);
      return queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey });
    },
  });
  return (
    <>
      <div className={classes.head}>
        <h2>{t("bell.title")}</h2>
        {data !== undefined && data.unread > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => mark.mutate(undefined)} loading={mark.isPending}>
            {t("bell.read_all")}
          </Button>
        )}
      </div>
      {error ? (
        <FailureState error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <div className={classes.waiting}>
          {[90, 70, 80].map((width) => (
            <Skeleton key={width} h={11} w={`${width}%`} my={18} />
          ))}
        </div>
      ) : data.notifications.length === 0 ? (
        <div className={classes.none}>
          <p>{t("bell.none")}</p>
          <p>{t("bell.none_lead")}</p>
        </div>
      ) : (
        <ul className={classes.list}>
          {data.notifications.map((told) => (
            <li key={told.id}>
              <Item
                told={told}
                onFollow={() => {
                  if (told.read_at === null) mark.mutate(told.id);
                  if (told.related_type !== null || isAboutMail(told)) close();
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Email on hold: the organization's page says how it is released. */
const isAboutMail = ({ kind }: Told): boolean => kind === "mail";

function Item({ told, onFollow }: { readonly told: Told; readonly onFollow: () => void }) {
  const { t } = useTranslation();
  const { related_type: type, related_id: id, related_name: name, read_at: read } = told;
  const content = (
    <>
      <span className={classes.dot} data-new={read === null || undefined}>
        {read === null && <span className="visually-hidden">{t("bell.unread")}</span>}
      </span>
      <span className={classes.text} dir="auto">
        {told.text}
      </span>
      {name !== null && !told.text.includes(name) && (
        <span className={classes.about} dir="auto">
          {name}
        </span>
      )}
      <span className={classes.when}>
        <Ago text={told.created} />
      </span>
    </>
  );
  const isNew = read === null || undefined;
  if (isAboutMail(told)) {
    return (
      <Link
        to="/administration"
        search={{ part: "organization" }}
        className={classes.item ?? ""}
        data-new={isNew}
        onClick={onFollow}
      >
        {content}
      </Link>
    );
  }
  return type !== null && id !== null ? (
    <Link
      to="/$module/$controller/view"
      params={{ module: type.split("/")[0] ?? "", controller: type.split("/")[1] ?? "" }}
      search={{ id }}
      className={classes.item ?? ""}
      data-new={isNew}
      onClick={onFollow}
    >
      {content}
    </Link>
  ) : (
    <button type="button" className={classes.item} data-new={isNew} onClick={onFollow}>
      {content}
    </button>
  );
}
