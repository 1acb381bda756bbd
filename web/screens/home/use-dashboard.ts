// A dashboard and what can be done with it: shown at once, kept by the service, put back in words if that fails.
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Dashboard, Pin, TileSize } from "../../../client/lists/dashboard.ts";
import { dashboardQuery } from "../../queries.ts";
import { client } from "../../session/session.ts";
import { moved, tilesAfter } from "./arrange.ts";

/** `id`: of a shared one; undefined for one's own. */
export function useDashboard(id: string | undefined) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const asked = dashboardQuery(id);
  const query = useQuery(asked);
  const pins = query.data?.pins ?? [];
  const others = query.data?.others ?? [];
  const shared = others.find((one) => one.id === id);
  const put = (next: readonly Pin[]) =>
    queryClient.setQueryData(asked.queryKey, (before) => before && ({ ...before, pins: next } satisfies Dashboard));
  const change = async (next: readonly Pin[], sendOwn: () => Promise<readonly Pin[]>): Promise<void> => {
    await queryClient.cancelQueries({ queryKey: asked.queryKey });
    put(next);
    try {
      if (id === undefined) put(await sendOwn());
      else {
        // As it stands now: a change before this one has given it another revision.
        const now = queryClient.getQueryData(asked.queryKey)?.others.find((one) => one.id === id);
        const tiles = tilesAfter(now?.tiles ?? [], pins, next);
        await client.views.saveDashboard({ id, ...(now ? { revision: now.revision } : {}) }, { tiles });
        await queryClient.invalidateQueries({ queryKey: ["dashboard"] });
      }
    } catch (error) {
      put(pins);
      await queryClient.invalidateQueries({ queryKey: asked.queryKey });
      const message = error instanceof Error ? error.message : String(error);
      notifications.show({ color: "red", title: t("dashboard.failed"), message });
    }
  };
  const arrange = (next: readonly Pin[]): Promise<void> => change(next, () => client.views.arrangeDashboard(next));
  return {
    query,
    pins,
    others,
    shared,
    mayArrange: id === undefined || shared?.mayEdit === true,
    /** `place`: counted from 0, among the others. */
    move: (pin: string, place: number) => arrange(moved(pins, pin, place)),
    resize: (pin: string, size: TileSize) => arrange(pins.map((one) => (one.id === pin ? { ...one, size } : one))),
    unpin: (pin: string) =>
      change(
        pins.filter((one) => one.id !== pin),
        () => client.views.unpinView(pin),
      ),
    /** Where it was. */
    pinAgain: async (pin: Pin, place: number) => {
      const now = queryClient.getQueryData(asked.queryKey)?.pins ?? [];
      const next = moved([...now.filter((one) => one.id !== pin.id), pin], pin.id, place);
      await change(next, async () => {
        await client.views.pinView(pin.id);
        return client.views.arrangeDashboard(next);
      });
    },
  };
}
