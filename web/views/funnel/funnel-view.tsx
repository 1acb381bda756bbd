// What is left from step to step, in the order of the groups.

import type { ChartProps } from "../chart-props.ts";
import { numberOf, tooltipOf } from "../drawing/axes.ts";
import type { ChartData } from "../drawing/chart-data.ts";
import { ChartView, type Drawn } from "../drawing/chart-view.tsx";
import { groundOf, type Look } from "../drawing/look.ts";

/** Paler from step to step; by color, because opacity would fade the label too. */
function shade({ scale, accent }: Look, index: number, count: number): string {
  const place = scale.length - 2 - Math.round((index * (scale.length - 2)) / Math.max(1, count));
  return scale[place] ?? accent;
}

function optionOf({ data, look, room, isTile }: Drawn) {
  const ground = groundOf(look);
  const measure = data.measures[data.drawn];
  const width = Math.min(room.width * (isTile ? 0.5 : 0.6), 560);
  // Beside the labels, and with them in the middle.
  const side = isTile || room.width < 600 ? 4 : Math.max(4, (room.width - width - 160) / 2);
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
    series: [
      {
        type: "funnel",
        sort: "none",
        left: look.isRtl ? "auto" : side,
        right: look.isRtl ? side : "auto",
        top: 8,
        bottom: 8,
        width,
        minSize: "12%",
        gap: 3,
        cursor: "pointer",
        data: data.slices.map(({ label, values }, index) => ({
          name: label,
          value: numberOf(values[data.drawn]) ?? 0,
          itemStyle: { color: shade(look, index, data.slices.length), borderWidth: 0 },
        })),
        label: {
          position: look.isRtl ? "left" : "right",
          color: look.text,
          fontSize: 12,
          formatter: ({ name, value }: { name: string; value: number }) =>
            `${name}  {value|${measure?.short(value) ?? value}}`,
          rich: { value: { color: look.dimmed, fontSize: 11 } },
        },
        labelLine: { length: 12, lineStyle: { color: look.hairline } },
        emphasis: { label: { fontWeight: 500 } },
      },
    ],
  };
}

const STEP = 84;
const mostOf = ({ slices }: ChartData): number => slices.length * STEP + 24;

export function FunnelView(props: ChartProps) {
  return <ChartView picture={props} kind="funnel" optionOf={optionOf} mostOf={mostOf} />;
}
