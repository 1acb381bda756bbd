// A day of the calendar.
import { IconCalendar } from "@tabler/icons-react";
import { dateLimits, due } from "./design/field-design.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { readDay } from "./reading/read-day.ts";

export const date: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).DateInput),
  read(text, _field, { locale }) {
    const found = readDay(text, locale);
    return found ? { value: found.day } : { why: "date" };
  },
  text: ({ value }, _field, { formats }) => formats.date(value),
  width: 124,
  days: "day",
  FilterInput: fieldPart(async () => (await import("./parts.ts")).DateFilter),
  filterText: (value, { formats }) => formats.date(value),
  figures: ["max", "min"],
  chart: { rank: 1, inOrder: true },
  design: {
    icon: IconCalendar,
    settings: [due, ...dateLimits],
    startsWith: true,
    formulas: () => ["today()", "today(7)", "today(14)", "today(30)"],
  },
};
