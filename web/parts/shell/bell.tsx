// The bell at the top: how much is new, and the list of it, fetched when it is opened.
import { ActionIcon, Popover } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBell } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { lazy, memo, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { notificationsQuery, unreadQuery } from "../../queries.ts";
import { PartBoundary } from "../layout/missing-part.tsx";
import classes from "./bell.module.css";

const NotificationList = lazy(async () => ({ default: (await import("./notification-list.tsx")).NotificationList }));

const MOST_SHOWN = 99;

export const Bell = memo(function Bell() {
  const { t } = useTranslation();
  const [opened, { toggle, close }] = useDisclosure(false);
  const queryClient = useQueryClient();
  const { data: unread = 0 } = useQuery(unreadQuery);
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is the occasion
  useEffect(() => {
    void queryClient.refetchQueries({ queryKey: unreadQuery.queryKey, stale: true });
  }, [pathname, queryClient]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is open shows what is new
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey });
  }, [unread, queryClient]);
  return (
    <Popover
      opened={opened}
      onChange={close}
      position="bottom-end"
      width={380}
      shadow="md"
      offset={6}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={classes.bell ?? ""}
          aria-label={t("bell.open", { count: unread })}
          onClick={toggle}
        >
          <IconBell size={18} stroke={1.6} />
          {unread > 0 && (
            <span className={classes.count} aria-hidden="true">
              {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={0} className={classes.dropdown ?? ""} aria-label={t("bell.title")}>
        <PartBoundary fallback={<div className={classes.waiting} />}>
          <NotificationList close={close} />
        </PartBoundary>
      </Popover.Dropdown>
    </Popover>
  );
});
