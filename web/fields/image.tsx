// A picture, shown small.
import { IconPhoto } from "@tabler/icons-react";
import { megabytes } from "./design/field-design.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { readNothing } from "./reading/reading.ts";

export const image: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).FileInput),
  isOneGesture: true,
  isForPages: true,
  isPicture: true,
  read: readNothing,
  Stored: fieldPart(async () => (await import("./parts.ts")).FileValue),
  width: 176,
  design: { icon: IconPhoto, settings: [megabytes(5, 50)] },
};
