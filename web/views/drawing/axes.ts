// The axes and the tooltip that bars and lines share.
import type { Drawn } from "./chart-view.tsx";

const plain = { axisLine: { show: false }, axisTick: { show: false } };

export function valueAxis({ data, look, isTile }: Drawn) {
  const measure = data.measures[data.drawn];
  return {
    type: "value" as const,
    ...plain,
    splitNumber: isTile ? 3 : 5,
    splitLine: { lineStyle: { color: look.hairline } },
    axisLabel: { color: look.dimmed, fontSize: 11, formatter: (value: number) => measure?.short(value) ?? "" },
  };
}

export function categoryAxis({ data, look }: Drawn, width: number) {
  return {
    type: "category" as const,
    ...plain,
    axisLine: { show: true, lineStyle: { color: look.hairline } },
    data: data.slices.map(({ label }) => label),
    axisLabel: { color: look.dimmed, fontSize: 11, hideOverlap: true, width, overflow: "truncate" as const },
  };
}

export const numberOf = (value: string | null | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);

/** Every figure of a slice, exactly. */
export function axisTooltip({ data, soFar }: Drawn) {
  return {
    trigger: "axis" as const,
    formatter: (points: unknown): HTMLElement | string => {
      // As ECharts hands the points of one place on the axis over.
      const [first] = points as readonly { readonly dataIndex: number }[];
      const index = first?.dataIndex ?? 0;
      const slice = data.slices[index];
      if (slice === undefined) return "";
      const lines =
        data.series === undefined
          ? data.measures.map(({ label, text }, at) => [label, text(slice.values[at] ?? null)] as const)
          : data.series.map(
              ({ label, points: own }) =>
                [label, data.measures[data.drawn]?.text(own[index]?.value ?? null) ?? ""] as const,
            );
      return tooltipOf(index === data.running ? `${slice.label} (${soFar})` : slice.label, lines);
    },
  };
}

/** Beside the last point or bar, which has not come to its end. */
export const soFarLabel = ({ look, soFar }: Drawn, position: "top" | "bottom" = "top") => ({
  show: true,
  formatter: soFar,
  color: look.dimmed,
  fontSize: 11,
  backgroundColor: look.page,
  padding: [1, 3],
  borderRadius: 3,
  position,
});

/** Built of nodes: labels are what people typed, and never markup. */
export function tooltipOf(title: string, lines: readonly (readonly [string, string])[]): HTMLElement {
  const box = document.createElement("div");
  box.dir = document.documentElement.dir;
  const head = document.createElement("strong");
  head.textContent = title;
  box.append(head);
  for (const [label, text] of lines) {
    const line = document.createElement("div");
    line.textContent = `${label}: ${text}`;
    box.append(line);
  }
  return box;
}

export const legendOf = ({ data, look }: Drawn) =>
  data.series === undefined
    ? {}
    : {
        legend: {
          type: "scroll" as const,
          bottom: 0,
          align: look.isRtl ? ("right" as const) : ("left" as const),
          icon: "roundRect",
          itemWidth: 9,
          itemHeight: 9,
          textStyle: { color: look.dimmed, fontSize: 11 },
        },
      };
