// A dashboard and what can be done with it: shown at once, kept by the service, put back in words if that fails.
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Dashboard, Pin, TeamDashboard, TileSize } from "../../../client/lists/dashboard.ts";
import { dashboardQuery, FIRST_DASHBOARD } from "../../queries.ts";
import { client } from "../../session/session.ts";
import { moved, shifted, tilesAfter } from "./arrange.ts";

type SendOwn = (next: readonly Pin[]) => Promise<readonly Pin[]>;

/** `chosen`: the id of a shared one, or the first; undefined for one's own. */
export function useDashboard(chosen: string | undefined) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const asked = dashboardQuery(chosen);
  const query = useQuery(asked);
  const id = query.data ? query.data.id : chosen;
  // While another one is on its way, the way to the others stays.
  const known = useRef<Dashboard["others"]>([]);
  if (query.data) known.current = query.data.others;
  const pins = query.data?.pins ?? [];
  const others = query.data?.others ?? known.current;
  const shared = others.find((one) => one.id === id);
  const put = (next: readonly Pin[], revised?: Pick<TeamDashboard, "tiles" | "revision">) => {
    const changed = (before: Dashboard | undefined): Dashboard | undefined =>
      before && {
        ...before,
        pins: next,
        others: before.others.map((one) => (one.id === id ? { ...one, ...revised } : one)),
      };
    // The one that somebody starts with is there under its own name as well.
    for (const { queryKey } of [asked, dashboardQuery(id)]) queryClient.setQueryData(queryKey, changed);
  };
  const read = () => queryClient.getQueryData(asked.queryKey);
  /** One after the other: each is sent with the revision that the one before it has given. */
  const queue = useRef<{ last: Promise<unknown>; waiting: number }>({ last: Promise.resolve(), waiting: 0 });
  const send = async (before: readonly Pin[], next: readonly Pin[], sendOwn: SendOwn): Promise<boolean> => {
    const isLast = (): boolean => queue.current.waiting === 1;
    try {
      if (id === undefined) {
        const kept = await sendOwn(next);
        if (isLast()) put(kept);
        // Whoever has changed their own starts with it.
        if (chosen === undefined)
          void queryClient.invalidateQueries({ queryKey: dashboardQuery(FIRST_DASHBOARD).queryKey });
        return true;
      }
      const now = read()?.others.find((one) => one.id === id);
      const tiles = tilesAfter(now?.tiles ?? [], before, next);
      const saved = await client.views.saveDashboard({ id, ...(now ? { revision: now.revision } : {}) }, { tiles });
      const revision = saved.data?.team_dashboards?.revision ?? now?.revision;
      if (revision !== undefined) put(read()?.pins ?? next, { tiles, revision });
      if (isLast()) await queryClient.invalidateQueries({ queryKey: ["dashboard"] });
      return true;
    } catch (error) {
      if (isLast()) put(before);
      await queryClient.invalidateQueries({ queryKey: ["dashboard"] });
      const message = error instanceof Error ? error.message : String(error);
      notifications.show({ color: "red", title: t("dashboard.failed"), message });
      return false;
    }
  };
  /** False where it failed, which is said. */
  const change = async (edit: (now: readonly Pin[]) => readonly Pin[], sendOwn: SendOwn): Promise<boolean> => {
    await queryClient.cancelQueries({ queryKey: asked.queryKey });
    const before = read()?.pins ?? [];
    const next = edit(before);
    put(next);
    queue.current.waiting += 1;
    const sent = queue.current.last
      .then(() => send(before, next, sendOwn))
      .finally(() => {
        queue.current.waiting -= 1;
      });
    queue.current.last = sent;
    return sent;
  };
  const arrange = (edit: (now: readonly Pin[]) => readonly Pin[]): Promise<boolean> =>
    change(edit, (next) => client.views.arrangeDashboard(next));
  return {
    query,
    pins,
    others,
    shared,
    mayArrange: id === undefined || shared?.mayEdit === true,
    /** `place`: counted from 0, among the others. */
    move: (pin: string, place: number) => arrange((now) => moved(now, pin, place)),
    /** Past the one beside it; `seen`: those that it stands among, as they are seen. */
    shift: (seen: readonly string[], pin: string, step: -1 | 1) => arrange((now) => shifted(now, seen, pin, step)),
    resize: (pin: string, size: TileSize) =>
      arrange((now) => now.map((one) => (one.id === pin ? { ...one, size } : one))),
    unpin: (pin: string) =>
      change(
        (now) => now.filter((one) => one.id !== pin),
        () => client.views.unpinView(pin),
      ),
    /** Where it was. */
    pinAgain: async (pin: Pin, place: number) => {
      await change(
        (now) => moved([...now.filter((one) => one.id !== pin.id), pin], pin.id, place),
        async (next) => {
          await client.views.pinView(pin.id);
          return client.views.arrangeDashboard(next);
        },
      );
    },
  };
}
