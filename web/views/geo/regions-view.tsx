// Countries colored by a figure: five steps from little to much. What is too small for the map is said beneath it.
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Country } from "../../../client/lists/countries.ts";
import type { ChartProps } from "../chart-props.ts";
import { numberOf, tooltipOf } from "../drawing/axes.ts";
import type { Pick } from "../drawing/chart.tsx";
import type { ChartData, Slice } from "../drawing/chart-data.ts";
import { ChartView, type Drawn } from "../drawing/chart-view.tsx";
import { groundOf } from "../drawing/look.ts";
import { useChartData } from "../drawing/use-chart-data.ts";
import { pieceLabel, stepsOf } from "./steps.ts";
import { drawnCountries, MAP, worldProjection } from "./world.ts";

/** Views group by a reference to a country, or by a text that is its code or its name. */
function finder(countries: readonly Country[]): (slice: Slice) => string | undefined {
  const numbers = new Map<string, string>();
  for (const { id, name, iso2, iso3, numeric } of countries) {
    for (const word of [`#${id}`, name.toLowerCase(), iso2.toLowerCase(), iso3.toLowerCase()])
      numbers.set(word, numeric);
  }
  return ({ key, label }) =>
    numbers.get(label.toLowerCase()) ?? numbers.get(key?.toLowerCase() ?? "") ?? numbers.get(`#${key}`);
}

export function RegionsView({ countries, ...picture }: ChartProps & { readonly countries: readonly Country[] }) {
  const { t } = useTranslation();
  const numberOfCountry = useMemo(() => finder(countries), [countries]);
  const { slices } = useChartData(picture);
  const unseen = slices.filter((slice) => {
    const number = numberOfCountry(slice);
    return slice.key !== null && (number === undefined || !drawnCountries.has(number));
  });

  const optionOf = useCallback(
    ({ data, look, isTile, room }: Drawn) => {
      const ground = groundOf(look);
      const measure = data.measures[data.drawn];
      const byNumber = new Map(data.slices.map((slice) => [numberOfCountry(slice), slice]));
      const nameOf = new Map(countries.map(({ numeric, name }) => [numeric, name]));
      const bounds = stepsOf(
        data.slices.map(({ values }) => numberOf(values[data.drawn]) ?? 0),
        look.scale.length,
      );
      return {
        ...ground,
        tooltip: {
          ...ground.tooltip,
          trigger: "item",
          formatter: ({ name }: { name: string }) => {
            const slice = byNumber.get(name);
            const lines = data.measures.map(({ label, text }, at) => [label, text(slice?.values[at] ?? null)] as const);
            return tooltipOf(slice?.label ?? nameOf.get(name) ?? name, slice ? lines : []);
          },
        },
        visualMap: {
          type: "piecewise",
          show: !isTile && room.width > 420,
          pieces: [undefined, ...bounds].map((from, index) => ({
            ...(from === undefined ? {} : { gte: from }),
            ...(bounds[index] === undefined ? {} : { lt: bounds[index] }),
            color: look.scale[Math.round((index * (look.scale.length - 1)) / Math.max(1, bounds.length))],
            label: pieceLabel(from, bounds[index], (value) => measure?.short(value) ?? String(value)),
          })),
          [look.isRtl ? "right" : "left"]: 8,
          bottom: 8,
          itemWidth: 12,
          itemHeight: 12,
          itemSymbol: "roundRect",
          textStyle: { color: look.dimmed, fontSize: 11 },
          outOfRange: { color: look.land },
        },
        series: [
          {
            type: "map",
            map: MAP,
            projection: worldProjection,
            roam: !isTile,
            scaleLimit: { min: 1, max: 8 },
            cursor: "pointer",
            layoutCenter: ["50%", "50%"],
            layoutSize: Math.min(room.width, room.height * 2.05),
            selectedMode: false,
            itemStyle: { areaColor: look.land, borderColor: look.page, borderWidth: 0.6 },
            emphasis: { label: { show: false }, itemStyle: { areaColor: look.palette[1], borderColor: look.page } },
            label: { show: false },
            data: data.slices.flatMap((slice) => {
              const name = numberOfCountry(slice);
              return name === undefined ? [] : [{ name, value: numberOf(slice.values[data.drawn]) ?? 0 }];
            }),
          },
        ],
      };
    },
    [countries, numberOfCountry],
  );
  const conditionOf = useCallback(
    (data: ChartData, { name }: Pick) => data.slices.find((slice) => numberOfCountry(slice) === name)?.condition,
    [numberOfCountry],
  );
  const note =
    unseen.length === 0 || picture.isTile
      ? undefined
      : t("charts.not_on_map", { count: unseen.length, names: unseen.map(({ label }) => label).join(", ") });
  return <ChartView picture={picture} kind="geo" optionOf={optionOf} conditionOf={conditionOf} note={note} />;
}
