// One pinned view: its title leads to it, its picture to what is behind a part; dragged by its head, or moved by its menu.
import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import {
  attachClosestEdge,
  type Edge,
  extractClosestEdge,
} from "@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge";
import { Tooltip, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { memo, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Pin, TileSize } from "../../../client/lists/dashboard.ts";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { useInSight } from "../../parts/use-in-sight.ts";
import { schemaQuery } from "../../queries.ts";
import { ChartFrame } from "../../views/chart-frame.tsx";
import { ChartSkeleton } from "../../views/chart-skeleton.tsx";
import { ViewIcon } from "../../views/index.tsx";
import type { Compared } from "../../views/spans.ts";
import { sizeOf } from "./arrange.ts";
import classes from "./dashboard.module.css";
import { TableTile } from "./table-tile.tsx";
import { TileMenu } from "./tile-menu.tsx";
import { useTileDates } from "./use-tile-dates.ts";

interface DashboardTileProps {
  readonly pin: Pin;
  /** The days that the dashboard is about; undefined for all of them. */
  readonly spans: Compared | undefined;
  /** How many columns it takes. */
  readonly span: number;
  /** It stands in the row of figures. */
  readonly isFigure: boolean;
  readonly mayArrange: boolean;
  readonly place: number;
  /** Among those that it stands with. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onShift: (id: string, step: -1 | 1) => void;
  readonly onMove: (id: string, place: number) => void;
  readonly onResize: (id: string, size: TileSize) => void;
  readonly onUnpin: (id: string) => void;
}

export const DashboardTile = memo(function DashboardTile(props: DashboardTileProps) {
  const { pin, spans, span, isFigure, mayArrange, place, isFirst, isLast, onShift, onMove, onResize, onUnpin } = props;
  const { t } = useTranslation();
  const tile = useRef<HTMLElement>(null);
  const isInSight = useInSight(tile);
  const schema = useQuery({ ...schemaQuery(pin.recordTypeKey), enabled: isInSight });
  const head = useRef<HTMLElement>(null);
  const [edge, setEdge] = useState<Edge | null>(null);
  const [isDragged, setDragged] = useState(false);
  const drop = useRef(onMove);
  drop.current = onMove;
  const shown = useTileDates(pin, schema.data, spans);

  useEffect(() => {
    const [element, dragHandle] = [tile.current, head.current];
    if (element === null || dragHandle === null || !mayArrange) return;
    const stopDragging = draggable({
      element,
      dragHandle,
      getInitialData: () => ({ tile: pin.id, place }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    });
    const stopDropping = dropTargetForElements({
      element,
      canDrop: ({ source }) => typeof source.data.tile === "string" && source.data.tile !== pin.id,
      getData: ({ input }) => attachClosestEdge({ tile: pin.id }, { element, input, allowedEdges: ["left", "right"] }),
      onDrag: ({ self }) => setEdge(extractClosestEdge(self.data)),
      onDragLeave: () => setEdge(null),
      onDrop: ({ self, source }) => {
        setEdge(null);
        const isAfter = (extractClosestEdge(self.data) === "right") !== (document.documentElement.dir === "rtl");
        const from = Number(source.data.place);
        // Counted among the others: what stood before it has moved up.
        const to = place + (isAfter ? 1 : 0) - (from < place ? 1 : 0);
        drop.current(String(source.data.tile), to);
      },
    });
    return () => {
      stopDragging();
      stopDropping();
    };
  }, [pin.id, place, mayArrange]);

  const href: string = `/${pin.recordTypeKey}/index?view=${pin.id}`;
  const size = sizeOf(pin);
  return (
    <section
      ref={tile}
      className={classes.tile}
      data-figure={isFigure || undefined}
      data-movable={mayArrange || undefined}
      data-size={size}
      style={{ gridColumn: `span ${span}` }}
      data-kind={pin.kind}
      data-edge={edge ?? undefined}
      data-dragged={isDragged || undefined}
      aria-label={`${pin.label}: ${pin.name}`}
    >
      <header ref={head} className={classes.head}>
        <ViewIcon kind={pin.kind} />
        <h2>
          <Link to={href} draggable={false} className={classes.name}>
            {pin.name}
          </Link>
        </h2>
        <span className={classes.type}>{pin.label}</span>
        {shown.isOutside && (
          <Tooltip label={t("dashboard.no_dates_lead")} events={{ hover: true, focus: true, touch: true }}>
            <UnstyledButton className={classes.undated ?? ""} fz="inherit">
              {t("dashboard.no_dates")}
            </UnstyledButton>
          </Tooltip>
        )}
        {mayArrange && (
          <TileMenu id={pin.id} name={pin.name} {...{ size, isFirst, isLast, onShift, onResize, onUnpin }} />
        )}
      </header>
      <div className={classes.body}>
        <Loaded query={schema} skeleton={<ChartSkeleton kind={pin.kind} isTile />}>
          {(found) =>
            !isInSight ? (
              <ChartSkeleton kind={pin.kind} isTile />
            ) : pin.kind === "table" ? (
              <TableTile schema={found} choice={shown.choice} where={shown.where} label={pin.name} />
            ) : (
              <ChartFrame
                recordTypeKey={pin.recordTypeKey}
                schema={found}
                kind={pin.kind}
                choice={shown.choice}
                where={shown.where}
                compared={shown.compared}
                label={pin.name}
                isTile
              />
            )
          }
        </Loaded>
      </div>
    </section>
  );
});
