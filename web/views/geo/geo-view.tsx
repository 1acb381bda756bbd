// A map of the world: countries colored by a figure, or records as points where the view names a place.
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Country } from "../../../client/lists/countries.ts";
import { countriesQuery } from "../../queries.ts";
import type { ChartProps } from "../chart-props.ts";
import { PointsView } from "./points-view.tsx";
import { RegionsView } from "./regions-view.tsx";

const none: readonly Country[] = [];

export function GeoView(props: ChartProps) {
  const isPoints = props.page.chart.point !== undefined && props.page.group.length === 0;
  const { data, isPending } = useQuery({ ...countriesQuery, enabled: !isPoints });
  if (isPoints) return <PointsView {...props} />;
  // Without the countries (the reader may not list them) the figures still stand in the table.
  return isPending ? <Skeleton flex={1} m={16} /> : <RegionsView {...props} countries={data ?? none} />;
}
