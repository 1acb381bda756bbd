// One figure on its way from least to most.
import { useMemo } from "react";
import { useFormats } from "../../fields/formats.ts";
import type { ChartProps } from "../chart-props.ts";
import { numberOf } from "../drawing/axes.ts";
import { ChartView, type Drawn } from "../drawing/chart-view.tsx";
import { groundOf } from "../drawing/look.ts";

const numberIn = (text: string | undefined, otherwise: number): number =>
  text !== undefined && Number.isFinite(Number(text)) ? Number(text) : otherwise;

/** A round figure above the value, where the view does not say what the most is. */
function roundAbove(value: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return Math.ceil((value * 1.05) / step) * step;
}

/** `percentSign`: as the language has it, 35.6% or 35,6 %. */
const optionWith = ({ min, max, unit = "" }: Readonly<Record<string, string>>, percentSign: string) =>
  function optionOf({ data, look, room, isTile }: Drawn) {
    const ground = groundOf(look);
    const measure = data.measures[data.drawn];
    const value = numberOf(data.slices[0]?.values[data.drawn]) ?? 0;
    const size = Math.min(room.width, room.height * 1.35);
    const text = `${measure?.text(String(value)) ?? value}${unit === "%" ? percentSign : unit && ` ${unit}`}`;
    return {
      ...ground,
      tooltip: { show: false },
      series: [
        {
          type: "gauge",
          startAngle: look.isRtl ? -25 : 205,
          endAngle: look.isRtl ? 205 : -25,
          clockwise: !look.isRtl,
          radius: "96%",
          center: ["50%", "58%"],
          min: numberIn(min, 0),
          max: numberIn(max, roundAbove(value)),
          splitNumber: size < 260 ? 2 : 5,
          cursor: "pointer",
          progress: { show: true, width: size / 22, roundCap: true, itemStyle: { color: look.accent } },
          axisLine: { roundCap: true, lineStyle: { width: size / 22, color: [[1, look.land]] } },
          pointer: { show: false },
          axisTick: { show: false },
          splitLine: { show: false },
          axisLabel: {
            show: !isTile,
            color: look.dimmed,
            fontSize: 11,
            distance: size / 22 + 8,
            formatter: (at: number) => measure?.short(at) ?? "",
          },
          title: { color: look.dimmed, fontSize: 13, offsetCenter: [0, "22%"] },
          detail: {
            color: look.text,
            fontSize: Math.max(22, Math.min(48, size / 8)),
            fontWeight: 600,
            offsetCenter: [0, "-8%"],
            formatter: () => text,
          },
          data: [{ value, name: measure?.label ?? "" }],
        },
      ],
    };
  };

export function GaugeView(props: ChartProps) {
  const { chart } = props.page;
  const percentSign = useFormats().percent("1").replace(/\p{N}/u, "");
  const optionOf = useMemo(() => optionWith(chart, percentSign), [chart, percentSign]);
  return <ChartView picture={props} kind="gauge" optionOf={optionOf} />;
}
