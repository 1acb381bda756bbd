// A file, by its name.
import { IconFile } from "@tabler/icons-react";
import { megabytes } from "./design/field-design.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { readNothing } from "./reading/reading.ts";

export const file: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).FileInput),
  isOneGesture: true,
  isForPages: true,
  read: readNothing,
  Stored: fieldPart(async () => (await import("./parts.ts")).FileValue),
  width: 176,
  design: { icon: IconFile, settings: [megabytes(25, 1024), { name: "accept", kind: "media-types" }] },
};
