// Instants as the wire spells them: UTC, `YYYY-MM-DD HH:MM:SS`; and the day that they are somewhere.
export const instant = (date: Date = new Date()): string => date.toISOString().slice(0, 19).replace("T", " ");

export const secondsFromNow = (seconds: number): string => instant(new Date(Date.now() + seconds * 1000));

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const parts = {
    // Not iso8601: ICU's is Julian before 1582.
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  } as const;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-CA", { ...parts, timeZone });
  } catch {
    // A zone that this system does not know.
    format = new Intl.DateTimeFormat("en-CA", { ...parts, timeZone: "UTC" });
  }
  if (formats.size < 1000) formats.set(timeZone, format);
  return format;
}

/** The day of an instant, as a calendar in that zone shows it. */
export function localDay(at: Date, timeZone: string): string {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return `${(parts.get("year") ?? "").padStart(4, "0")}-${parts.get("month")}-${parts.get("day")}`;
}
