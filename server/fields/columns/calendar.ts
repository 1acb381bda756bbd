// A written date or instant → its calendar day and its instant in UTC, years 0001 to 9999. Reads ISO 8601 and
// MM/DD/YYYY; knows no time zones beside the offset that is written, and never rounds.

export interface Moment {
  /** `YYYY-MM-DD` as written, whatever the offset. */
  readonly day: string;
  /** `YYYY-MM-DD HH:MM:SS`; undefined where the offset carries it out of the calendar. */
  readonly utc: string | undefined;
}

const pattern =
  /^(?:(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)|(?<us_m>\d{1,2})\/(?<us_d>\d{1,2})\/(?<us_y>\d{4}))(?:(?:[Tt]| +)(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?:[.,]\d+)?)?(?<zone> ?(?:[Zz]|[+-]\d\d(?::?[0-5]\d)?))?)?$/u;

/** No place on earth is further from UTC. */
const furthestOffset = 14 * 60;

export function readMoment(text: string): Moment | undefined {
  const found = pattern.exec(text)?.groups;
  if (!found) return undefined;
  const day = [found.y ?? found.us_y, found.m ?? found.us_m, found.d ?? found.us_d]
    .map((part) => (part ?? "").padStart(2, "0"))
    .join("-");
  const midnight = new Date(`${day}T00:00:00Z`);
  // Date carries the 30th of February over into March.
  if (!inCalendar(midnight) || !midnight.toISOString().startsWith(day)) return undefined;
  const offset = offsetMinutes(found.zone?.trim() ?? "Z");
  if (Math.abs(offset) > furthestOffset) return undefined;
  const { hour = "00", minute = "00", second = "00" } = found;
  const instant = new Date(Date.parse(`${day}T${hour}:${minute}:${second}Z`) - offset * 60_000);
  return { day, utc: inCalendar(instant) ? instant.toISOString().slice(0, 19).replace("T", " ") : undefined };
}

const inCalendar = (instant: Date): boolean => instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999;

function offsetMinutes(zone: string): number {
  if (/^z$/iu.test(zone)) return 0;
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return zone.startsWith("-") ? -minutes : minutes;
}
