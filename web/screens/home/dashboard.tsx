// A dashboard: figures in a row, pinned views as tiles without holes, arranged by dragging or by their menus. An empty one
// says how to fill it.
import { Button, Skeleton } from "@mantine/core";
import { IconPin } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Pin, TileSize } from "../../../client/lists/dashboard.ts";
import { shownModules } from "../../../client/lists/navigation.ts";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { clockAt } from "../../../contract/zones.ts";
import { useTimeZone } from "../../fields/formats.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { showUndo } from "../../parts/toasts.tsx";
import { useSteady } from "../../parts/use-steady.ts";
import { navigationQuery } from "../../queries.ts";
import { ChartSkeleton } from "../../views/chart-skeleton.tsx";
import { comparedSpans, type SpanText } from "../../views/spans.ts";
import { figureRows, isFigure, packed, sizeOf } from "./arrange.ts";
import classes from "./dashboard.module.css";
import { DashboardTabs } from "./dashboard-tabs.tsx";
import { DashboardTile } from "./dashboard-tile.tsx";
import { SpanMenu } from "./span-menu.tsx";
import { forgetDashboard, useChosenDashboard } from "./use-chosen-dashboard.ts";
import { useColumns } from "./use-columns.ts";
import { useDashboard } from "./use-dashboard.ts";

/** `isWaiting`: whether there is anything to show is not known yet. */
export function Dashboard({ isWaiting }: { readonly isWaiting: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const timeZone = useTimeZone();
  const { data: navigation = [] } = useQuery(navigationQuery);
  const [first] = shownModules(navigation);
  const [entry] = first?.entries ?? [];
  const search = useSearch({ from: "/inside/" });
  const chosen = useChosenDashboard(search.dashboard);
  const { query, pins, others, shared, mayArrange, move, shift, resize, unpin, pinAgain } = useDashboard(chosen);
  const [place, columns] = useColumns();
  const isGone = query.error instanceof WireFailure && query.error.status === 404;
  useEffect(() => {
    if (!isGone) return;
    forgetDashboard();
    void navigate({ to: "/", search: {}, replace: true });
  }, [isGone, navigate]);
  const takeOff = async (pin: Pin): Promise<void> => {
    const at = pins.findIndex(({ id }) => id === pin.id);
    if (!(await unpin(pin.id))) return;
    const name = pin.name;
    const said = shared
      ? t("dashboard.taken_off_shared", { name, dashboard: shared.name })
      : t("dashboard.taken_off", { name });
    showUndo(t, said, () => pinAgain(pin, at));
  };
  const today = clockAt(new Date(), timeZone).slice(0, 10);
  const spans = useMemo(() => comparedSpans(search.dates, today), [search.dates, today]);
  const onMove = useSteady((id: string, to: number): void => void move(id, to));
  const onResize = useSteady((id: string, size: TileSize): void => void resize(id, size));
  const onShift = useSteady((id: string, step: -1 | 1): void => {
    const seen = seenFigures.includes(id) ? seenFigures : seenTiles;
    void shift(seen, id, step);
  });
  const onUnpin = useSteady((id: string): void => {
    const pin = pins.find((one) => one.id === id);
    if (pin) void takeOff(pin);
  });
  const tile = (pin: Pin, span: number, seen: readonly string[], isFigureTile = false) => (
    <DashboardTile
      key={pin.id}
      {...{ pin, spans, span, mayArrange }}
      isFigure={isFigureTile}
      place={pins.indexOf(pin)}
      isFirst={seen[0] === pin.id}
      isLast={seen.at(-1) === pin.id}
      {...{ onShift, onMove, onResize, onUnpin }}
    />
  );
  const figures = pins.filter(isFigure);
  const tiles = pins.filter((pin) => !isFigure(pin));
  const rows = packed(
    tiles.map((pin) => ({ id: pin.id, size: sizeOf(pin) })),
    columns.tiles,
  );
  const row = figureRows(
    figures.map(({ id }) => id),
    columns.figures,
  );
  const [seenTiles, seenFigures] = [rows.map(({ id }) => id), row.figures.map(({ id }) => id)];
  const gridOf = (count: number) => ({ gridTemplateColumns: `repeat(${count}, minmax(0, 1fr))` });
  const hasTools = !isWaiting && (query.data !== undefined || (query.isPending && others.length > 0));
  return (
    <section ref={place} className={classes.dashboard} aria-label={t("dashboard.title")}>
      {hasTools && (
        <div className={classes.tools}>
          <DashboardTabs others={others} chosen={shared} pins={pins} />
          {(pins.length > 0 || query.isPending) && (
            <SpanMenu
              span={search.dates}
              onChange={(dates: SpanText | undefined) => {
                const { dates: _, ...rest } = search;
                void navigate({ to: "/", search: { ...rest, ...(dates === undefined ? {} : { dates }) } });
              }}
            />
          )}
        </div>
      )}
      <Loaded query={query} skeleton={<DashboardSkeleton hasTools={hasTools} />}>
        {() =>
          isWaiting ? (
            <DashboardSkeleton hasTools={false} />
          ) : pins.length === 0 ? (
            <EmptyState
              icon={IconPin}
              title={shared ? t("dashboard.empty_shared") : t("dashboard.empty")}
              text={shared ? t("dashboard.empty_shared_lead") : t("dashboard.empty_lead")}
              small
            >
              {entry && !shared && (
                <Button component={Link} to={`/${entry.key}/index`} variant="default">
                  {t("dashboard.begin", { type: entry.label })}
                </Button>
              )}
            </EmptyState>
          ) : (
            <>
              {figures.length > 0 && (
                <div className={classes.figures} style={gridOf(row.columns)}>
                  {row.figures.map(({ id, span }) => {
                    const pin = figures.find((one) => one.id === id);
                    return pin && tile(pin, span, seenFigures, true);
                  })}
                </div>
              )}
              <div className={classes.grid} style={gridOf(columns.tiles)}>
                {rows.map(({ id, span }) => {
                  const pin = tiles.find((one) => one.id === id);
                  return pin && tile(pin, span, seenTiles);
                })}
              </div>
            </>
          )
        }
      </Loaded>
    </section>
  );
}

/** As a new person's dashboard is arranged. */
const skeletons = [
  ["line", "wide"],
  ["pie", "small"],
  ["line", "wide"],
  ["funnel", "small"],
  ["table", "wide"],
] as const;

function DashboardSkeleton({ hasTools }: { readonly hasTools: boolean }) {
  return (
    <div aria-hidden="true">
      {!hasTools && <div className={classes.tools} />}
      <div className={classes.figures}>
        {[120, 90, 110, 100].map((width) => (
          <div key={width} className={classes.tile} data-figure>
            <Skeleton h={12} w={width} mt={8} />
            <Skeleton h={26} w={width - 20} mt={16} />
            <Skeleton h={10} w={width + 30} mt={12} />
          </div>
        ))}
      </div>
      <div className={classes.grid} data-skeletons>
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
    </div>
  );
}
