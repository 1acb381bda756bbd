// Lines of the list's menu: put the view on one's own dashboard and on the shared ones that one may change, or take it off.
import { Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPin, IconPinnedOff } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { TeamDashboard } from "../../client/lists/dashboard.ts";
import { useWrite } from "../parts/use-write.ts";
import { dashboardQuery, FIRST_DASHBOARD } from "../queries.ts";
import { client } from "../session/session.ts";

export function PinItem({ viewId, viewName }: { readonly viewId: string; readonly viewName: string }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data } = useQuery(dashboardQuery());
  const isPinned = data?.pins.some(({ id }) => id === viewId) ?? false;
  const isOn = ({ tiles }: TeamDashboard): boolean => tiles.some(({ id }) => id === viewId);
  const fail = ({ message }: Error) => {
    notifications.show({ color: "red", title: t("dashboard.failed"), message });
    return queryClient.invalidateQueries({ queryKey: ["dashboard"] });
  };
  const change = useWrite({
    mutationFn: () => (isPinned ? client.views.unpinView(viewId) : client.views.pinView(viewId)),
    onSuccess: (pins) => {
      queryClient.setQueryData(dashboardQuery().queryKey, (before) => before && { ...before, pins });
      // Whoever has one of their own starts with it.
      void queryClient.invalidateQueries({ queryKey: dashboardQuery(FIRST_DASHBOARD).queryKey });
      notifications.show({ message: t(isPinned ? "dashboard.taken_off" : "dashboard.pinned", { name: viewName }) });
    },
    onError: fail,
  });
  const changeShared = useWrite({
    mutationFn: async (shared: TeamDashboard) => {
      const others = shared.tiles.filter(({ id }) => id !== viewId);
      const tiles = isOn(shared) ? others : [...others, { id: viewId, size: null }];
      await client.views.saveDashboard({ id: shared.id, revision: shared.revision }, { tiles });
    },
    onSuccess: async (_, shared) => {
      const said = isOn(shared) ? "dashboard.taken_off_shared" : "dashboard.pinned_shared";
      await queryClient.invalidateQueries({ queryKey: ["dashboard"] });
      notifications.show({ message: t(said, { name: viewName, dashboard: shared.name }) });
    },
    onError: fail,
  });
  const Icon = isPinned ? IconPinnedOff : IconPin;
  const isWaiting = data === undefined || change.isPending || changeShared.isPending;
  return (
    <>
      <Menu.Item leftSection={<Icon size={16} stroke={1.6} />} disabled={isWaiting} onClick={() => change.mutate()}>
        {t(isPinned ? "dashboard.unpin" : "dashboard.pin")}
      </Menu.Item>
      {data?.others
        .filter(({ mayEdit }) => mayEdit)
        .map((shared) => {
          const SharedIcon = isOn(shared) ? IconPinnedOff : IconPin;
          return (
            <Menu.Item
              key={shared.id}
              leftSection={<SharedIcon size={16} stroke={1.6} />}
              disabled={isWaiting}
              onClick={() => changeShared.mutate(shared)}
            >
              {t(isOn(shared) ? "dashboard.unpin_shared" : "dashboard.pin_shared", { dashboard: shared.name })}
            </Menu.Item>
          );
        })}
    </>
  );
}
