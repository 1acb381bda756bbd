// What is left from step to step, in the order of the groups: a lying bar for each, so that they can be compared.

import type { ChartProps } from "../chart-props.ts";
import { categoryAxis, numberOf, tooltipOf, valueAxis } from "../drawing/axes.ts";
import type { ChartData } from "../drawing/chart-data.ts";
import { ChartView, type Drawn } from "../drawing/chart-view.tsx";
import { groundOf, type Look } from "../drawing/look.ts";

/** Paler from step to step; by color, because opacity would fade the label too. */
function shade({ scale, accent }: Look, index: number, count: number): string {
  const place = scale.length - 2 - Math.round((index * (scale.length - 2)) / Math.max(1, count));
  return scale[place] ?? accent;
}

function optionOf(drawn: Drawn) {
  const { data, look, room } = drawn;
  const ground = groundOf(look);
  const measure = data.measures[data.drawn];
  const labelWidth = Math.max(60, Math.min(180, Math.round(room.width * 0.32)));
  const radius = look.isRtl ? [3, 0, 0, 3] : [0, 3, 3, 0];
  return {
    ...ground,
    tooltip: {
      ...ground.tooltip,
      trigger: "item",
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const slice = data.slices[dataIndex];
        return slice === undefined
          ? ""
          : tooltipOf(
              slice.label,
              data.measures.map(({ label, text }, at) => [label, text(slice.values[at] ?? null)]),
            );
      },
    },
    grid: {
      top: 4,
      left: look.isRtl ? 56 : 4,
      right: look.isRtl ? 12 : 56,
      bottom: 4,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    xAxis: { ...valueAxis(drawn), inverse: look.isRtl, axisLabel: { show: false }, splitLine: { show: false } },
    yAxis: { ...categoryAxis(drawn, labelWidth), inverse: true, position: look.isRtl ? "right" : "left" },
    series: [
      {
        type: "bar",
        name: measure?.label ?? "",
        barMaxWidth: 22,
        barCategoryGap: "28%",
        barMinHeight: 2,
        cursor: "pointer",
        showBackground: true,
        backgroundStyle: { color: look.hairline, opacity: 0.35, borderRadius: radius },
        data: data.slices.map(({ values }, index) => ({
          value: numberOf(values[data.drawn]) ?? 0,
          itemStyle: { color: shade(look, index, data.slices.length), borderRadius: radius },
        })),
        label: {
          show: true,
          position: look.isRtl ? "left" : "right",
          color: look.text,
          fontSize: 11,
          formatter: ({ value }: { value: number }) => measure?.short(value) ?? String(value),
        },
      },
    ],
  };
}

const STEP = 30;
const heightOf = ({ slices }: ChartData): number => slices.length * STEP + 24;
const mostOf = ({ slices }: ChartData): number => slices.length * 2 * STEP + 24;

export function FunnelView(props: ChartProps) {
  return <ChartView picture={props} kind="funnel" optionOf={optionOf} heightOf={heightOf} mostOf={mostOf} />;
}
