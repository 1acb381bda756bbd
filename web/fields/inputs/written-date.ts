// How a day or a moment stands in an input: as the reader's profile writes it, where that reads back as the same; else by the
// digits that everybody reads. What is typed is read by the same rules as what is pasted. Pure.
import { readInstant, writeInstant } from "../../../client/transport/instant.ts";
import type { Formats } from "../../../contract/formats.ts";
import { clockAt, instantIn } from "../../../contract/zones.ts";
import { isDay, readDay } from "../reading/read-day.ts";
import { readMoment } from "../reading/read-moment.ts";

export interface WrittenDate {
  /** Whether a value is one at all: what was typed and cannot be read is kept as it is. */
  isSound(value: string): boolean;
  /** What is shown for a value. */
  write(value: string): string;
  /** The value of what was typed; undefined where it is none. */
  read(text: string): string | undefined;
  /** The day of a value, for the calendar. */
  dayOf(value: string): string | null;
  /** The value after a day was chosen from the calendar; the time of day stays. */
  withDay(value: string, day: string): string;
}

const isMoment = (value: string): boolean => {
  const date = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(value) ? readInstant(value) : undefined;
  return date !== undefined && writeInstant(date) === value;
};

export function writtenDay(formats: Formats, locale: string | undefined): WrittenDate {
  const read = (text: string) => readDay(text, locale)?.day;
  return {
    isSound: isDay,
    read,
    write(value) {
      const text = isDay(value) ? formats.date(value) : value;
      return read(text) === value ? text : value;
    },
    dayOf: (value) => (isDay(value) ? value : null),
    withDay: (_, day) => day,
  };
}

export function writtenMoment(formats: Formats, locale: string | undefined, timeZone: string): WrittenDate {
  const read = (text: string) => {
    const found = readMoment(text, locale, timeZone);
    return found && writeInstant(found);
  };
  const clock = (value: string): string | undefined => {
    const date = isMoment(value) ? readInstant(value) : undefined;
    return date && clockAt(date, timeZone);
  };
  // Inputs show no seconds.
  const minuteOf = (value: string | undefined) => value?.slice(0, 16);
  return {
    isSound: isMoment,
    read,
    write(value) {
      const local = clock(value);
      if (local === undefined) return value;
      const text = formats.dateTime(value);
      return minuteOf(read(text)) === minuteOf(value) ? text : local.slice(0, 16).replace("T", " ");
    },
    dayOf: (value) => clock(value)?.slice(0, 10) ?? null,
    withDay(value, day) {
      const chosen = instantIn(`${day}T${clock(value)?.slice(11, 19) ?? "00:00:00"}`, timeZone);
      return chosen ? writeInstant(chosen) : value;
    },
  };
}
