// A line over time, or along any other order.

import type { ChartProps } from "../chart-props.ts";
import { axisTooltip, categoryAxis, legendOf, numberOf, soFarLabel, valueAxis } from "../drawing/axes.ts";
import { ChartView, type Drawn } from "../drawing/chart-view.tsx";
import { colorAt, groundOf } from "../drawing/look.ts";

function optionOf(drawn: Drawn) {
  const { data, look, isTile } = drawn;
  const { running } = data;
  const ground = groundOf(look);
  const series = data.series ?? [
    {
      label: data.measures[data.drawn]?.label ?? "",
      points: data.slices.map(({ values }) => ({ value: values[data.drawn] ?? null })),
    },
  ];
  const lineOf = (index: number) => ({
    type: "line",
    color: series.length === 1 ? look.accent : colorAt(look, index),
    lineStyle: { width: 2 },
    symbol: "circle",
    symbolSize: isTile ? 5 : 7,
    showSymbol: data.slices.length < 60,
    cursor: "pointer",
    triggerLineEvent: false,
  });
  return {
    ...ground,
    ...legendOf(drawn),
    tooltip: { ...ground.tooltip, ...axisTooltip(drawn), axisPointer: { lineStyle: { color: look.dimmed } } },
    grid: {
      top: running === undefined ? 12 : 22,
      left: 4,
      right: running === undefined ? 16 : 24,
      bottom: data.series ? 32 : 4,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    xAxis: { ...categoryAxis(drawn, 90), boundaryGap: false, inverse: look.isRtl },
    yAxis: { ...valueAxis(drawn), position: look.isRtl ? "right" : "left" },
    series: [
      ...series.map(({ label, points }, index) => ({
        ...lineOf(index),
        name: label,
        data: points.map(({ value }, at) => (at === running ? null : numberOf(value))),
        ...(series.length === 1 ? { areaStyle: { opacity: 0.1 } } : {}),
      })),
      // The way to a period that is not over is dashed; it comes after all others, so that they keep their places.
      ...(running === undefined
        ? []
        : series.map(({ label, points }, index) => ({
            ...lineOf(index),
            name: label,
            lineStyle: { width: 2, type: "dashed" },
            symbol: "emptyCircle",
            data: points.map(({ value }, at) =>
              at === running
                ? {
                    value: numberOf(value),
                    label: index === 0 ? soFarLabel(drawn, falls(points, at) ? "bottom" : "top") : { show: false },
                  }
                : { value: at === running - 1 ? numberOf(value) : null, symbol: "none" },
            ),
          }))),
    ],
  };
}

/** Where the line comes from above, its label goes below. */
const falls = (points: readonly { readonly value: string | null }[], at: number): boolean =>
  Number(points[at]?.value ?? 0) < Number(points[at - 1]?.value ?? 0);

export function LineView(props: ChartProps) {
  return <ChartView picture={props} kind="line" optionOf={optionOf} />;
}
