// A ring of shares. More than a handful cannot be told apart: the smallest are drawn as one, and stand in the table.
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../fields/formats.ts";
import type { ChartProps } from "../chart-props.ts";
import { numberOf, tooltipOf } from "../drawing/axes.ts";
import type { Pick } from "../drawing/chart.tsx";
import type { ChartData, Slice } from "../drawing/chart-data.ts";
import { ChartView, type Drawn } from "../drawing/chart-view.tsx";
import { colorAt, groundOf } from "../drawing/look.ts";

const MOST = 8;

/** Largest first; `rest` is what is drawn as one. */
function shares({ slices, drawn }: ChartData): { readonly shown: readonly Slice[]; readonly rest: readonly Slice[] } {
  const sorted = slices
    .filter(({ values }) => Number(values[drawn] ?? 0) > 0)
    .sort((one, other) => Number(other.values[drawn]) - Number(one.values[drawn]));
  return sorted.length <= MOST
    ? { shown: sorted, rest: [] }
    : { shown: sorted.slice(0, MOST - 1), rest: sorted.slice(MOST - 1) };
}

/** A slice that is pointed at grows by this. */
const EDGE = 6;
/** The dot before a name of the legend, and the air around both. */
const LEGEND_MARK = 26;
const LEGEND_LEAST = 104;
const LEGEND_BELOW = 0.26;

/** The largest ring that leaves the legend its room, beside it or below. */
function ringIn(room: Drawn["room"], beside: boolean): { readonly outer: number; readonly width: number } {
  const wide = beside ? room.width - LEGEND_LEAST - LEGEND_MARK : room.width;
  const high = beside ? room.height : room.height * (1 - LEGEND_BELOW);
  const outer = Math.max(24, Math.floor(Math.min(wide, high) / 2) - EDGE);
  return { outer, width: 2 * (outer + EDGE) };
}

const optionWith = (otherWord: (count: number) => string, percent: (text: string) => string) =>
  function optionOf({ data, look, room, isTile }: Drawn) {
    const ground = groundOf(look);
    const { shown, rest } = shares(data);
    const measure = data.measures[data.drawn];
    const narrow = room.width < 480;
    const parts = [
      ...shown.map((slice, index) => ({
        name: slice.label,
        value: numberOf(slice.values[data.drawn]) ?? 0,
        itemStyle: { color: colorAt(look, index) },
      })),
      ...(rest.length === 0
        ? []
        : [
            {
              name: otherWord(rest.length),
              value: rest.reduce((sum, { values }) => sum + Number(values[data.drawn] ?? 0), 0),
              itemStyle: { color: look.dimmed },
            },
          ]),
    ];
    const total = parts.reduce((sum, { value }) => sum + value, 0);
    const share = (value: number): string => percent(String(Math.round((value / total) * 1000) / 10));
    const inLegend = narrow || isTile;
    const beside = isTile && room.width > 260 && room.width > room.height;
    const ring = ringIn(room, beside);
    return {
      ...ground,
      tooltip: {
        ...ground.tooltip,
        trigger: "item",
        formatter: ({ name, value }: { name: string; value: number }) =>
          tooltipOf(name, [[measure?.label ?? "", `${measure?.text(String(value)) ?? value} (${share(value)})`]]),
      },
      ...(inLegend
        ? {
            legend: {
              type: isTile ? "scroll" : "plain",
              ...(beside ? { orient: "vertical", [look.isRtl ? "left" : "right"]: 0, top: "middle" } : { bottom: 0 }),
              align: look.isRtl ? "right" : "left",
              icon: "circle",
              itemWidth: 8,
              itemHeight: 8,
              itemGap: 6,
              textStyle: {
                color: look.text,
                fontSize: 11,
                width: beside ? room.width - ring.width - LEGEND_MARK : 110,
                overflow: "truncate",
              },
            },
          }
        : {}),
      series: [
        {
          type: "pie",
          radius: inLegend ? [ring.outer * 0.6, ring.outer] : ["42%", "72%"],
          center: !inLegend
            ? ["50%", "50%"]
            : beside
              ? [look.isRtl ? room.width - ring.width / 2 : ring.width / 2, "50%"]
              : ["50%", ring.outer + EDGE],
          data: parts,
          cursor: "pointer",
          itemStyle: { borderColor: look.page, borderWidth: 2 },
          label: inLegend
            ? { show: false }
            : {
                color: look.text,
                fontSize: 12,
                formatter: ({ name, value }: { name: string; value: number }) => `${name}  {share|${share(value)}}`,
                rich: { share: { color: look.dimmed, fontSize: 11 } },
              },
          labelLine: { lineStyle: { color: look.hairline } },
          emphasis: { scaleSize: 4 },
        },
      ],
    };
  };

const conditionOf = (data: ChartData, { dataIndex }: Pick) => shares(data).shown[dataIndex]?.condition;

export function PieView(props: ChartProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const optionOf = useMemo(() => optionWith((count) => t("charts.others", { count }), formats.percent), [t, formats]);
  return <ChartView picture={props} kind="pie" optionOf={optionOf} conditionOf={conditionOf} />;
}
