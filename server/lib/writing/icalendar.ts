// Writes a calendar as RFC 5545 says: lines of at most 75 bytes that end in CRLF, texts escaped. Days stay days, instants are UTC.

export interface CalendarEntry {
  readonly uid: string;
  /** `YYYY-MM-DD`, or `YYYY-MM-DD HH:MM:SS` in UTC. */
  readonly start: string;
  readonly summary: string;
  /** As an instant. */
  readonly modified: string;
  readonly url: string | undefined;
  readonly isYearly: boolean;
}

const DAY = "2026-11-16".length;

const stamp = (instant: string): string => `${instant.replace(/[-:]/g, "").replace(" ", "T")}Z`;

/** No line break of a text ends a line: it would begin another property. */
const escaped = (text: string): string =>
  text
    .replace(/[\\;,]/g, "\\$&")
    .replace(/\r\n|[\n\r\u2028\u2029]/g, "\\n")
    .replace(/[^\P{Cc}\t]/gu, "");

/** The rest of a long line follows behind a blank; no character is cut in two. */
function folded(line: string): string {
  const lines: string[] = [];
  let current = "";
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > 75) {
      lines.push(current);
      [current, bytes] = [" ", 1];
    }
    current += character;
    bytes += size;
  }
  return [...lines, current].join("\r\n");
}

export function writeCalendar(name: string, entries: readonly CalendarEntry[]): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Dossier//Calendar//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `X-WR-CALNAME:${escaped(name)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    ...entries.flatMap(({ uid, start, summary, modified, url, isYearly }) => [
      "BEGIN:VEVENT",
      `UID:${escaped(uid)}`,
      `DTSTAMP:${stamp(modified)}`,
      `LAST-MODIFIED:${stamp(modified)}`,
      start.length === DAY ? `DTSTART;VALUE=DATE:${start.replaceAll("-", "")}` : `DTSTART:${stamp(start)}`,
      ...(isYearly ? ["RRULE:FREQ=YEARLY"] : []),
      `SUMMARY:${escaped(summary)}`,
      ...(url === undefined ? [] : [`URL:${url}`]),
      "END:VEVENT",
    ]),
    "END:VCALENDAR",
  ];
  return `${lines.map(folded).join("\r\n")}\r\n`;
}
