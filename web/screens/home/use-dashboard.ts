// The dashboard and what can be done with it: shown at once, kept by the service, put back in words if that fails.
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Pin, TileSize } from "../../../client/lists/dashboard.ts";
import { dashboardQuery } from "../../queries.ts";
import { client } from "../../session/session.ts";
import { moved } from "./arrange.ts";

export function useDashboard() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const query = useQuery(dashboardQuery);
  const pins = query.data ?? [];
  const change = async (next: readonly Pin[], send: () => Promise<readonly Pin[]>): Promise<void> => {
    await queryClient.cancelQueries({ queryKey: dashboardQuery.queryKey });
    queryClient.setQueryData(dashboardQuery.queryKey, next);
    try {
      const kept = await send();
      queryClient.setQueryData(dashboardQuery.queryKey, kept);
    } catch (error) {
      queryClient.setQueryData(dashboardQuery.queryKey, pins);
      const message = error instanceof Error ? error.message : String(error);
      notifications.show({ color: "red", title: t("dashboard.failed"), message });
    }
  };
  const arrange = (next: readonly Pin[]): Promise<void> => change(next, () => client.views.arrangeDashboard(next));
  return {
    query,
    pins,
    /** `place`: counted from 0, among the others. */
    move: (id: string, place: number) => arrange(moved(pins, id, place)),
    resize: (id: string, size: TileSize) => arrange(pins.map((pin) => (pin.id === id ? { ...pin, size } : pin))),
    unpin: (id: string) =>
      change(
        pins.filter((pin) => pin.id !== id),
        () => client.views.unpinView(id),
      ),
    /** Where it was. */
    pinAgain: async (pin: Pin, place: number) => {
      const now = queryClient.getQueryData(dashboardQuery.queryKey) ?? [];
      const next = moved([...now.filter(({ id }) => id !== pin.id), pin], pin.id, place);
      await change(next, async () => {
        await client.views.pinView(pin.id);
        return client.views.arrangeDashboard(next);
      });
    },
  };
}
