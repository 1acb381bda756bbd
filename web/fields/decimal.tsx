// A number with decimals.
import { IconDecimal } from "@tabler/icons-react";
import { limits, places } from "./design/field-design.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { numbers } from "./showing/numbers.ts";

export const decimal: FieldType = {
  ...numbers,
  Input: fieldPart(async () => (await import("./parts.ts")).NumberInput),
  width: 130,
  design: {
    icon: IconDecimal,
    settings: [places(4, 38), { name: "precision", kind: "count", least: 1, most: 38, usual: 18 }, ...limits],
    startsWith: true,
  },
};
