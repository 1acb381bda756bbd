// A place on a small map of the countries around it, drawn here: nothing is fetched from elsewhere. Fetched when it is first shown.
import { geoMercator, geoPath } from "d3-geo";
import { useMemo } from "react";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import world from "world-atlas/countries-110m.json";
import classes from "./place.module.css";

// The file is what its package says it is; JSON has no types of its own.
const topology = world as unknown as Topology<{ countries: GeometryCollection }>;
const countries = feature(topology, topology.objects.countries);

export const MAP_WIDTH = 220;
export const MAP_HEIGHT = 110;
/** About twenty degrees from side to side. */
const SCALE = 560;
/** Further north or south there is nothing to see. */
const MOST_LATITUDE = 80;

interface PlaceMapProps {
  readonly latitude: number;
  readonly longitude: number;
}

export default function PlaceMap({ latitude, longitude }: PlaceMapProps) {
  const land = useMemo(() => {
    const middle = Math.max(-MOST_LATITUDE, Math.min(MOST_LATITUDE, latitude));
    const projection = geoMercator()
      .rotate([-longitude, 0])
      .center([0, middle])
      .scale(SCALE)
      .translate([MAP_WIDTH / 2, MAP_HEIGHT / 2])
      .clipExtent([
        [0, 0],
        [MAP_WIDTH, MAP_HEIGHT],
      ]);
    return geoPath(projection)(countries) ?? "";
  }, [latitude, longitude]);
  return (
    <svg className={classes.map} viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`} aria-hidden="true">
      <path className={classes.land} d={land} />
      <circle className={classes.halo} cx={MAP_WIDTH / 2} cy={MAP_HEIGHT / 2} r={9} />
      <circle className={classes.point} cx={MAP_WIDTH / 2} cy={MAP_HEIGHT / 2} r={4} />
    </svg>
  );
}
