// A place on the page of its record: a small map, its coordinates, and the way to a larger map elsewhere.
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { PartBoundary } from "../../parts/layout/missing-part.tsx";
import type { StoredProps } from "../field-type.ts";
import { code } from "./link.tsx";
import classes from "./place.module.css";

const PlaceMap = lazy(() => import("./place-map.tsx"));

/** `12.988134,77.571183`. */
const pointOf = (text: string): readonly [number, number] | undefined => {
  const [latitude = Number.NaN, longitude = Number.NaN] = text.split(",").map(Number);
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? [latitude, longitude] : undefined;
};

export function StoredPlace({ plain }: StoredProps) {
  const { t } = useTranslation();
  const point = pointOf(plain);
  if (point === undefined) return code(plain);
  const [latitude, longitude] = point;
  const href = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=13/${latitude}/${longitude}`;
  return (
    <a className={classes.place} href={href} target="_blank" rel="noreferrer" title={t("record.open_map")}>
      <span className={classes.frame}>
        <PartBoundary instead={null}>
          <PlaceMap latitude={latitude} longitude={longitude} />
        </PartBoundary>
      </span>
      <span className={classes.words} dir="ltr">{`${latitude.toFixed(5)}, ${longitude.toFixed(5)}`}</span>
    </a>
  );
}
