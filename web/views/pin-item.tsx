// A line of the list's menu: puts the view on the dashboard, or takes it off.
import { Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPin, IconPinnedOff } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useWrite } from "../parts/use-write.ts";
import { dashboardQuery } from "../queries.ts";
import { client } from "../session/session.ts";

export function PinItem({ viewId, viewName }: { readonly viewId: string; readonly viewName: string }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: pins } = useQuery(dashboardQuery);
  const isPinned = pins?.some(({ id }) => id === viewId) ?? false;
  const change = useWrite({
    mutationFn: () => (isPinned ? client.views.unpinView(viewId) : client.views.pinView(viewId)),
    onSuccess: (next) => {
      queryClient.setQueryData(dashboardQuery.queryKey, next);
      notifications.show({ message: t(isPinned ? "dashboard.taken_off" : "dashboard.pinned", { name: viewName }) });
    },
    onError: ({ message }) => notifications.show({ color: "red", title: t("dashboard.failed"), message }),
  });
  const Icon = isPinned ? IconPinnedOff : IconPin;
  return (
    <Menu.Item
      leftSection={<Icon size={16} stroke={1.6} />}
      disabled={pins === undefined || change.isPending}
      onClick={() => change.mutate()}
    >
      {t(isPinned ? "dashboard.unpin" : "dashboard.pin")}
    </Menu.Item>
  );
}
