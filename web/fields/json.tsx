// JSON: as text, or, where it is a document of a known kind, as its designer has it.
import { IconBraces } from "@tabler/icons-react";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { readAsIs } from "./reading/reading.ts";
import { code } from "./showing/link.tsx";

export const json: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).JsonInput),
  hasLines: true,
  read: readAsIs,
  show: ({ value }) => code(value),
  Stored: fieldPart(async () => (await import("./parts.ts")).DocumentValue),
  width: 176,
  isNeverGrouped: true,
  design: { icon: IconBraces },
};
