// Text of several lines.
import { IconAlignLeft } from "@tabler/icons-react";
import { format, length } from "./design/field-design.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { readAsIs } from "./reading/reading.ts";
import { StoredText } from "./showing/stored-text.tsx";

export const longText: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).LongTextInput),
  hasLines: true,
  read: readAsIs,
  Stored: StoredText,
  width: 320,
  isText: true,
  isNeverGrouped: true,
  design: { icon: IconAlignLeft, settings: [length(20_000, 1_000_000), format], startsWith: true },
};
