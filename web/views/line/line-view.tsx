// A line over time, or along any other order.

import type { ChartProps } from "../chart-props.ts";
import { axisTooltip, categoryAxis, legendOf, numberOf, valueAxis } from "../drawing/axes.ts";
import { ChartView, type Drawn } from "../drawing/chart-view.tsx";
import { colorAt, groundOf } from "../drawing/look.ts";

function optionOf(drawn: Drawn) {
  const { data, look, isTile } = drawn;
  const ground = groundOf(look);
  const series = data.series ?? [
    {
      label: data.measures[data.drawn]?.label ?? "",
      points: data.slices.map(({ values }) => ({ value: values[data.drawn] ?? null })),
    },
  ];
  return {
    ...ground,
    ...legendOf(drawn),
    tooltip: { ...ground.tooltip, ...axisTooltip(drawn), axisPointer: { lineStyle: { color: look.dimmed } } },
    grid: {
      top: 12,
      left: 4,
      right: 16,
      bottom: data.series ? 32 : 4,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    xAxis: { ...categoryAxis(drawn, 90), boundaryGap: false, inverse: look.isRtl },
    yAxis: { ...valueAxis(drawn), position: look.isRtl ? "right" : "left" },
    series: series.map(({ label, points }, index) => ({
      type: "line",
      name: label,
      data: points.map(({ value }) => numberOf(value)),
      color: series.length === 1 ? look.accent : colorAt(look, index),
      lineStyle: { width: 2 },
      symbol: "circle",
      symbolSize: isTile ? 5 : 7,
      showSymbol: points.length < 60,
      cursor: "pointer",
      triggerLineEvent: false,
      ...(series.length === 1 ? { areaStyle: { opacity: 0.1 } } : {}),
    })),
  };
}

export function LineView(props: ChartProps) {
  return <ChartView picture={props} kind="line" optionOf={optionOf} />;
}
