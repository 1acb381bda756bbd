// A postal address, entered line by line.
import { IconHome } from "@tabler/icons-react";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { readNothing } from "./reading/reading.ts";

export const address: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).AddressInput),
  isForPages: true,
  read: readNothing,
  Stored: fieldPart(async () => (await import("./parts.ts")).AddressText),
  width: 176,
  isNeverGrouped: true,
  design: { icon: IconHome },
};
