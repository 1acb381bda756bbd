// Takes a moment as somebody wrote it, in the time zone in which it is meant; gives the instant, or undefined where it is none.
import { instantIn } from "../../../contract/zones.ts";
import { readDay } from "./read-day.ts";

export function readMoment(text: string, locale: string | undefined, timeZone: string): Date | undefined {
  const found = readDay(text, locale);
  if (!found) return undefined;
  const { day, minutes = 0, seconds, offset } = found;
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const asUtc = new Date(Date.UTC(year, month - 1, date, 0, minutes - (offset ?? 0), seconds));
  return offset === undefined ? (instantIn(asUtc.toISOString().slice(0, 19), timeZone) ?? asUtc) : asUtc;
}
