// A chart with what belongs to every one: its text alternative, the table of its figures, the way to the records behind
// a slice, and words where there is nothing to draw.
import { IconChartDots } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Condition } from "../../../client/lists/list-draft.ts";
import type { ViewKind } from "../../../contract/view-kinds.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import type { ChartProps } from "../chart-props.ts";
import { Chart, type Pick, type Room } from "./chart.tsx";
import type { ChartData } from "./chart-data.ts";
import { ChartOrTable } from "./chart-or-table.tsx";
import { ChartTable } from "./chart-table.tsx";
import classes from "./drawing.module.css";
import type { EChartsCoreOption } from "./echarts.ts";
import { type Look, useLook } from "./look.ts";
import { useChartData, useMoneyNote } from "./use-chart-data.ts";

export interface Drawn {
  readonly data: ChartData;
  readonly look: Look;
  readonly room: Room;
  readonly isTile: boolean;
  /** What stands beside the period that is not over yet. */
  readonly soFar: string;
}

interface ChartViewProps {
  readonly picture: ChartProps;
  readonly kind: Exclude<ViewKind, "table">;
  readonly optionOf: (drawn: Drawn) => EChartsCoreOption;
  /** What a click is about; undefined where there is nothing behind it. */
  readonly conditionOf?: (data: ChartData, pick: Pick) => Condition | undefined;
  /** Least height: what needs more than the room has is scrolled. */
  readonly heightOf?: (data: ChartData) => number | undefined;
  /** Greatest height: little data is not blown up. */
  readonly mostOf?: (data: ChartData) => number | undefined;
  readonly note?: string | undefined;
}

const bySlice = ({ slices, series }: ChartData, { seriesIndex, dataIndex }: Pick): Condition | undefined =>
  series === undefined
    ? slices[dataIndex]?.condition
    : series[seriesIndex % series.length]?.points[dataIndex]?.condition;

export function ChartView({ picture, kind, optionOf, conditionOf = bySlice, heightOf, mostOf, note }: ChartViewProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const data = useChartData(picture);
  const look = useLook();
  const money = useMoneyNote(data);
  const [wantsTable, setTable] = useState(false);
  // Amounts that cannot be held against each other are read, not drawn.
  const isTable = wantsTable || data.isMixed;
  const { isTile } = picture;
  const soFar = t("charts.so_far");
  const draw = useCallback(
    (room: Room) => optionOf({ data, look, room, isTile, soFar }),
    [optionOf, data, look, isTile, soFar],
  );
  const isEmpty =
    !data.isMixed && data.slices.every(({ values }) => values.every((value) => value === null || Number(value) === 0));
  if (isEmpty) {
    return (
      <EmptyState
        icon={IconChartDots}
        title={t("charts.empty")}
        {...(isTile ? {} : { text: t("charts.empty_lead") })}
        small={isTile}
      />
    );
  }
  const pick = (picked: Pick): void => {
    const condition = conditionOf(data, picked);
    if (condition !== undefined) void navigate({ to: picture.recordsHref(condition) });
  };
  return (
    <div className={classes.frame} data-tile={isTile || undefined}>
      {!isTile && !data.isMixed && <ChartOrTable caption={captionOf(data, t)} isTable={isTable} onChange={setTable} />}
      {isTable ? (
        <ChartTable data={data} label={picture.label} recordsHref={picture.recordsHref} />
      ) : (
        <div className={classes.room}>
          <Chart
            description={descriptionOf(picture.label, kind, data, t)}
            optionOf={draw}
            least={isTile ? undefined : heightOf?.(data)}
            most={isTile ? undefined : mostOf?.(data)}
            onPick={pick}
          />
        </div>
      )}
      {note !== undefined && !isTable && <p className={classes.note}>{note}</p>}
      {money !== undefined && <p className={classes.note}>{money}</p>}
    </div>
  );
}

function captionOf({ by, measures, drawn }: ChartData, t: TFunction): string {
  const measure = measures[drawn]?.label ?? "";
  if (by?.period !== undefined) return t(`charts.per.${by.period}`, { measure, by: by.label });
  return by === undefined ? measure : t("charts.measure_by", { measure, by: by.label });
}

/** What the picture says, in a sentence or three. */
function descriptionOf(label: string, kind: ChartViewProps["kind"], data: ChartData, t: TFunction): string {
  const { slices, drawn, measures } = data;
  const measure = measures[drawn];
  const known = slices.filter(({ values }) => (values[drawn] ?? null) !== null);
  const sorted = [...known].sort((one, other) => Number(other.values[drawn]) - Number(one.values[drawn]));
  const [most, least] = [sorted[0], sorted.at(-1)];
  const said = [t("charts.described", { label, kind: t(`list.kinds.${kind}`), caption: captionOf(data, t) })];
  if (measure && most && data.by === undefined) said.push(`${measure.text(most.values[drawn] ?? null)}.`);
  else if (measure && most && least) {
    said.push(
      t("charts.extremes", {
        count: slices.length,
        most: most.label,
        most_value: measure.text(most.values[drawn] ?? null),
        least: least.label,
        least_value: measure.text(least.values[drawn] ?? null),
      }),
    );
  }
  const running = data.running === undefined ? undefined : slices[data.running];
  if (running) said.push(t("charts.running", { period: running.label }));
  return said.join(" ");
}
