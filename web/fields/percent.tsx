// A share of a hundred.
import { IconPercentage } from "@tabler/icons-react";
import { limits, places } from "./design/field-design.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { numbers } from "./showing/numbers.ts";

export const percent: FieldType = {
  ...numbers,
  Input: fieldPart(async () => (await import("./parts.ts")).NumberInput),
  text: ({ value }, _field, { formats }) => formats.percent(value),
  width: 104,
  design: { icon: IconPercentage, settings: [places(2, 4), ...limits], startsWith: true },
};
