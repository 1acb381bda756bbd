// A place on a small map of the countries around it, drawn here: nothing is fetched from elsewhere. Fetched when it is first shown.
import { geoMercator, geoPath } from "d3-geo";
import type { Feature, Geometry, Position } from "geojson";
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

/** Further away than this nothing can be on the map, whatever the latitude. */
const REACH = 14;

interface Bounds {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

function* pointsOf(geometry: Geometry): Iterable<Position> {
  if (geometry.type === "Polygon") yield* geometry.coordinates.flat();
  if (geometry.type === "MultiPolygon") yield* geometry.coordinates.flat(2);
}

const boundsOf = ({ geometry }: Feature): Bounds => {
  const bounds = { south: 90, north: -90, west: 180, east: -180 };
  for (const [east = 0, north = 0] of pointsOf(geometry)) {
    bounds.south = Math.min(bounds.south, north);
    bounds.north = Math.max(bounds.north, north);
    bounds.west = Math.min(bounds.west, east);
    bounds.east = Math.max(bounds.east, east);
  }
  return bounds;
};

const bounded = countries.features.map((country) => ({ country, bounds: boundsOf(country) }));

/** Those that may be in sight: to project the whole world for a few of them would be most of the work of a page. */
const countriesNear = (latitude: number, longitude: number) =>
  bounded
    .filter(
      ({ bounds: { south, north, west, east } }) =>
        latitude > south - REACH &&
        latitude < north + REACH &&
        [-360, 0, 360].some((turn) => longitude + turn > west - REACH && longitude + turn < east + REACH),
    )
    .map(({ country }) => country);

function drawLand(latitude: number, longitude: number): string {
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
  return geoPath(projection)({ type: "FeatureCollection", features: countriesNear(middle, longitude) }) ?? "";
}

const drawn = new Map<string, string>();
const MOST_DRAWN = 50;

/** The same place is drawn again whenever its field changes from being read to being changed. */
function landOf(latitude: number, longitude: number): string {
  const key = `${latitude} ${longitude}`;
  const land = drawn.get(key) ?? drawLand(latitude, longitude);
  if (drawn.size >= MOST_DRAWN) drawn.clear();
  drawn.set(key, land);
  return land;
}

export default function PlaceMap({ latitude, longitude }: PlaceMapProps) {
  const land = landOf(latitude, longitude);
  return (
    <svg className={classes.map} viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`} aria-hidden="true">
      <path className={classes.land} d={land} />
      <circle className={classes.halo} cx={MAP_WIDTH / 2} cy={MAP_HEIGHT / 2} r={9} />
      <circle className={classes.point} cx={MAP_WIDTH / 2} cy={MAP_HEIGHT / 2} r={4} />
    </svg>
  );
}
