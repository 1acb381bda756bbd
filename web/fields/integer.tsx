// A whole number.
import { IconNumber123 } from "@tabler/icons-react";
import { limits } from "./design/field-design.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { readNumber } from "./reading/read-number.ts";
import { numbers } from "./showing/numbers.ts";

export const integer: FieldType = {
  ...numbers,
  Input: fieldPart(async () => (await import("./parts.ts")).WholeNumberInput),
  read(text, _field, { locale }) {
    const number = readNumber(text, locale)?.replace(/\.0*$/, "");
    if (number === undefined) return { why: "number" };
    return number.includes(".") ? { why: "whole_number" } : { value: number };
  },
  width: 104,
  design: {
    icon: IconNumber123,
    settings: limits,
    startsWith: true,
  },
};
