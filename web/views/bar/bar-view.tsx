// Bars: lying, so that labels can be read, and standing along time. Several series stand on each other.

import type { ChartProps } from "../chart-props.ts";
import { axisTooltip, categoryAxis, legendOf, numberOf, soFarLabel, valueAxis } from "../drawing/axes.ts";
import type { ChartData } from "../drawing/chart-data.ts";
import { ChartView, type Drawn } from "../drawing/chart-view.tsx";
import { colorAt, groundOf } from "../drawing/look.ts";

const LANE = 30;

const isLying = ({ by }: ChartData): boolean => by?.period === undefined;

function optionOf(drawn: Drawn) {
  const { data, look, room } = drawn;
  const ground = groundOf(look);
  const lying = isLying(data);
  const measure = data.measures[data.drawn];
  const series = data.series ?? [
    { label: measure?.label ?? "", points: data.slices.map(({ values }) => ({ value: values[data.drawn] ?? null })) },
  ];
  const labelWidth = Math.max(60, Math.min(180, Math.round(room.width * 0.3)));
  const category = { ...categoryAxis(drawn, lying ? labelWidth : 80), ...(lying ? { inverse: true } : {}) };
  const values = valueAxis(drawn);
  const single = data.series === undefined;
  return {
    ...ground,
    ...legendOf(drawn),
    tooltip: {
      ...ground.tooltip,
      ...axisTooltip(drawn),
      axisPointer: { type: "shadow", shadowStyle: { opacity: 0.5 } },
    },
    grid: {
      top: lying ? 4 : 20,
      left: lying && look.isRtl ? 56 : 4,
      right: lying && !look.isRtl ? 56 : 12,
      bottom: single ? 4 : 32,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    xAxis: lying
      ? {
          ...values,
          inverse: look.isRtl,
          ...(single ? { axisLabel: { show: false }, splitLine: { show: false } } : {}),
        }
      : { ...category, inverse: look.isRtl },
    yAxis: { ...(lying ? category : values), position: look.isRtl ? "right" : "left" },
    series: series.map(({ label, points }, index) => ({
      type: "bar",
      name: label,
      ...(single ? {} : { stack: "all" }),
      data: points.map(({ value }, at) =>
        at === data.running
          ? { value: numberOf(value), itemStyle: { opacity: 0.5 }, ...(single ? { label: soFarLabel(drawn) } : {}) }
          : numberOf(value),
      ),
      color: single ? look.accent : colorAt(look, index),
      barMaxWidth: lying ? 20 : 44,
      barCategoryGap: "32%",
      cursor: "pointer",
      itemStyle: { borderRadius: single ? (lying ? (look.isRtl ? [3, 0, 0, 3] : [0, 3, 3, 0]) : [3, 3, 0, 0]) : 0 },
      ...(single && lying
        ? {
            label: {
              show: true,
              position: look.isRtl ? "left" : "right",
              color: look.text,
              fontSize: 11,
              formatter: ({ value }: { value: number | null }) => (value === null ? "" : (measure?.short(value) ?? "")),
            },
          }
        : {}),
    })),
  };
}

const heightOf = (data: ChartData): number | undefined => (isLying(data) ? data.slices.length * LANE + 24 : undefined);
const mostOf = (data: ChartData): number | undefined =>
  isLying(data) ? data.slices.length * 2 * LANE + 24 : undefined;

export function BarView(props: ChartProps) {
  return <ChartView picture={props} kind="bar" optionOf={optionOf} heightOf={heightOf} mostOf={mostOf} />;
}
