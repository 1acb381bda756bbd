// The dashboard: pinned views as tiles, arranged by dragging or by their menus. An empty one says how to fill it.
import { Button, Skeleton } from "@mantine/core";
import { IconPin } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Pin } from "../../../client/lists/dashboard.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { showUndo } from "../../parts/toasts.tsx";
import { navigationQuery } from "../../queries.ts";
import { ChartSkeleton } from "../../views/chart-skeleton.tsx";
import classes from "./dashboard.module.css";
import { DashboardTile } from "./dashboard-tile.tsx";
import { useDashboard } from "./use-dashboard.ts";

/** `isWaiting`: whether there is anything to show is not known yet. */
export function Dashboard({ isWaiting }: { readonly isWaiting: boolean }) {
  const { t } = useTranslation();
  const { data: [first] = [] } = useQuery(navigationQuery);
  const [entry] = first?.entries ?? [];
  const { query, pins, move, resize, unpin, pinAgain } = useDashboard();
  const takeOff = async (pin: Pin): Promise<void> => {
    const place = pins.findIndex(({ id }) => id === pin.id);
    await unpin(pin.id);
    showUndo(t, t("dashboard.taken_off", { name: pin.name }), () => pinAgain(pin, place));
  };
  return (
    <section className={classes.dashboard} aria-label={t("dashboard.title")}>
      <Loaded query={query} skeleton={<DashboardSkeleton />}>
        {() =>
          isWaiting ? (
            <DashboardSkeleton />
          ) : pins.length === 0 ? (
            <EmptyState icon={IconPin} title={t("dashboard.empty")} text={t("dashboard.empty_lead")} small>
              {entry && (
                <Button component={Link} to={`/${entry.key}/index`} variant="default">
                  {t("dashboard.begin", { type: entry.label })}
                </Button>
              )}
            </EmptyState>
          ) : (
            <div className={classes.grid}>
              {pins.map((pin, place) => (
                <DashboardTile
                  key={pin.id}
                  {...{ pin, place }}
                  count={pins.length}
                  onMove={(id, to) => void move(id, to)}
                  onResize={(size) => void resize(pin.id, size)}
                  onUnpin={() => void takeOff(pin)}
                />
              ))}
            </div>
          )
        }
      </Loaded>
    </section>
  );
}

/** As a new person's dashboard is arranged. */
const skeletons = [
  ["number", "small"],
  ["line", "wide"],
  ["pie", "small"],
  ["line", "wide"],
  ["funnel", "small"],
  ["table", "wide"],
] as const;

function DashboardSkeleton() {
  return (
    <div className={classes.grid} aria-hidden="true">
      {skeletons.map(([kind, size], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
        <div key={index} className={classes.tile} data-size={size} data-kind={kind}>
          <div className={classes.head}>
            <Skeleton h={12} w={120} />
          </div>
          <div className={classes.body}>
            <ChartSkeleton kind={kind} isTile />
          </div>
        </div>
      ))}
    </div>
  );
}
