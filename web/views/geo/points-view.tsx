// Records as points on the map; a point leads to its record, and so does its line in the list.
import { IconMapPinOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListPage } from "../../../client/lists/lists.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { chartQuery } from "../../queries.ts";
import type { ChartProps } from "../chart-props.ts";
import { tooltipOf } from "../drawing/axes.ts";
import { Chart, type Pick, type Room } from "../drawing/chart.tsx";
import { ChartOrTable } from "../drawing/chart-or-table.tsx";
import classes from "../drawing/drawing.module.css";
import { groundOf, useLook } from "../drawing/look.ts";
import { MAP, worldProjection } from "./world.ts";

const MOST_POINTS = 1000;

interface Point {
  readonly id: string;
  readonly name: string;
  /** As maps have it: longitude first. */
  readonly place: readonly [number, number];
}

function pointsOf({ rows, idColumn }: ListPage, column: string): readonly Point[] {
  return rows.flatMap((row) => {
    const [latitude = Number.NaN, longitude = Number.NaN] = String(row[column] ?? "")
      .split(",")
      .map(Number);
    if (Number.isNaN(latitude) || Number.isNaN(longitude)) return [];
    const name = String(row.record_display_name ?? row[idColumn]);
    return [{ id: String(row[idColumn]), name, place: [longitude, latitude] as const }];
  });
}

export function PointsView({ recordTypeKey, page, choice, label, isTile }: ChartProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const look = useLook();
  const [isTable, setTable] = useState(false);
  const { data = page } = useQuery({
    ...chartQuery(recordTypeKey, choice, { limit: MOST_POINTS }),
    enabled: page.total > page.rows.length,
  });
  const points = useMemo(() => pointsOf(data, page.chart.point ?? ""), [data, page.chart.point]);
  const optionOf = useCallback(
    (room: Room) => {
      const ground = groundOf(look);
      return {
        ...ground,
        tooltip: {
          ...ground.tooltip,
          trigger: "item",
          formatter: ({ dataIndex }: { dataIndex: number }) => tooltipOf(points[dataIndex]?.name ?? "", []),
        },
        geo: {
          map: MAP,
          projection: worldProjection,
          roam: !isTile,
          scaleLimit: { min: 1, max: 20 },
          layoutCenter: ["50%", "50%"],
          layoutSize: Math.min(room.width, room.height * 2.05),
          silent: true,
          itemStyle: { areaColor: look.land, borderColor: look.page, borderWidth: 0.6 },
        },
        series: [
          {
            type: "scatter",
            coordinateSystem: "geo",
            symbolSize: isTile ? 6 : 9,
            cursor: "pointer",
            itemStyle: { color: look.accent, opacity: 0.75, borderColor: look.page, borderWidth: 1 },
            data: points.map(({ place }) => place),
          },
        ],
      };
    },
    [look, points, isTile],
  );
  if (points.length === 0) {
    const text = t("charts.no_points_lead");
    return <EmptyState icon={IconMapPinOff} title={t("charts.no_points")} text={text} small={isTile} />;
  }
  const hrefOf = (id: string): string => `/${recordTypeKey}/view?id=${encodeURIComponent(id)}`;
  const open = ({ dataIndex }: Pick): void => {
    const id = points[dataIndex]?.id;
    if (id !== undefined) void navigate({ to: hrefOf(id) });
  };
  const caption = t("charts.points", { count: points.length });
  return (
    <div className={classes.frame} data-tile={isTile || undefined}>
      {!isTile && (
        <ChartOrTable
          caption={
            data.total > points.length ? t("charts.points_of", { shown: points.length, total: data.total }) : caption
          }
          isTable={isTable}
          onChange={setTable}
        />
      )}
      {isTable ? (
        <ul className={classes.names}>
          {points.map(({ id, name }) => (
            <li key={id}>
              <Link to={hrefOf(id)}>{name}</Link>
            </li>
          ))}
        </ul>
      ) : (
        <div className={classes.room}>
          <Chart
            description={t("charts.described", { label, kind: t("list.kinds.geo"), caption })}
            optionOf={optionOf}
            onPick={open}
          />
        </div>
      )}
    </div>
  );
}
