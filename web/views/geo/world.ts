// The map of the world: countries of Natural Earth by their ISO number, in a projection that is kind to areas. Registered
// with ECharts once, when the first map is drawn.
import { geoEqualEarth } from "d3-geo";
import { MapChart, ScatterChart } from "echarts/charts";
import { GeoComponent, VisualMapComponent } from "echarts/components";
import { registerMap, use } from "echarts/core";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import world from "world-atlas/countries-110m.json";

use([MapChart, ScatterChart, GeoComponent, VisualMapComponent]);

export const MAP = "world";
const ANTARCTICA = "010";

// The file is what its package says it is; JSON has no types of its own.
const topology = world as unknown as Topology<{ countries: GeometryCollection<{ name: string }> }>;

const countries = feature(topology, topology.objects.countries);
const drawn = countries.features
  .filter(({ id }) => id !== ANTARCTICA)
  .map((country) => ({
    ...country,
    // Without a number (disputed land) it has its name, and no value.
    properties: { name: String(country.id ?? country.properties.name) },
  }));

/** The numbers of the countries that are large enough to be drawn. */
export const drawnCountries: ReadonlySet<string> = new Set(drawn.map(({ properties }) => properties.name));

// ECharts reads plain GeoJSON; its own type for it is narrower than the standard's.
registerMap(MAP, { type: "FeatureCollection", features: drawn } as unknown as Parameters<typeof registerMap>[1]);

const projection = geoEqualEarth();

export const worldProjection = {
  project: (point: [number, number]) => projection(point) ?? [0, 0],
  unproject: (point: [number, number]) => projection.invert?.(point) ?? [0, 0],
  // Cuts shapes at the date line; without it lines cross the whole map.
  stream: projection.stream.bind(projection),
};
