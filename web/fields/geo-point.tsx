// A place on the map: latitude and longitude.
import { IconMapPin } from "@tabler/icons-react";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { readAsIs } from "./reading/reading.ts";
import { code } from "./showing/link.tsx";

export const geoPoint: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).PointInput),
  read: readAsIs,
  show: ({ value }) => code(value),
  Stored: fieldPart(async () => (await import("./parts.ts")).StoredPlace),
  width: 176,
  isPlace: true,
  isNeverGrouped: true,
  design: { icon: IconMapPin, startsWith: true },
};
