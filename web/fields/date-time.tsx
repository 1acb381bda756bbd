// A moment, read and written in the time zone of the reader's profile.
import { IconCalendarClock } from "@tabler/icons-react";
import { readInstant, writeInstant } from "../../client/transport/instant.ts";
import { clockAt, instantIn } from "../../contract/zones.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { readDay, type WrittenDay } from "./reading/read-day.ts";

function instantOf({ day, minutes = 0, seconds, offset }: WrittenDay, timeZone: string): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const asUtc = new Date(Date.UTC(year, month - 1, date, 0, minutes - (offset ?? 0), seconds));
  return offset === undefined ? (instantIn(asUtc.toISOString().slice(0, 19), timeZone) ?? asUtc) : asUtc;
}

export const dateTime: FieldType = {
  Input: fieldPart(async () => (await import("./inputs/date-inputs.tsx")).DateTimeInput),
  read(text, _field, { locale, timeZone }) {
    const found = readDay(text, locale);
    return found ? { value: writeInstant(instantOf(found, timeZone)) } : { why: "moment" };
  },
  copy({ value }, _field, { timeZone }) {
    const date = readInstant(value);
    return date ? clockAt(date, timeZone).slice(0, 16).replace("T", " ") : value;
  },
  text: ({ value }, _field, { formats }) => formats.dateTime(value),
  width: 188,
  days: "instant",
  FilterInput: fieldPart(async () => (await import("./inputs/date-inputs.tsx")).DateTimeFilter),
  filterText: (value, { formats }) => formats.dateTime(value),
  figures: ["max", "min"],
  chart: { rank: 1, inOrder: true },
  design: { icon: IconCalendarClock, startsWith: true },
};
