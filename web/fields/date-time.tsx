// A moment, read and written in the time zone of the reader's profile.
import { IconCalendarClock } from "@tabler/icons-react";
import { readInstant, writeInstant } from "../../client/transport/instant.ts";
import { clockAt } from "../../contract/zones.ts";
import { dateLimits, due } from "./design/field-design.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { readMoment } from "./reading/read-moment.ts";

export const dateTime: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).DateTimeInput),
  read(text, _field, { locale, timeZone }) {
    const found = readMoment(text, locale, timeZone);
    return found ? { value: writeInstant(found) } : { why: "moment" };
  },
  copy({ value }, _field, { timeZone }) {
    const date = readInstant(value);
    return date ? clockAt(date, timeZone).slice(0, 16).replace("T", " ") : value;
  },
  text: ({ value }, _field, { formats }) => formats.dateTime(value),
  width: 188,
  days: "instant",
  FilterInput: fieldPart(async () => (await import("./parts.ts")).DateTimeFilter),
  filterText: (value, { formats }) => formats.dateTime(value),
  figures: ["max", "min"],
  chart: { rank: 1, inOrder: true },
  design: { icon: IconCalendarClock, settings: [due, ...dateLimits], startsWith: true, formulas: () => ["now()"] },
};
