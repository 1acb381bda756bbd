// Instants and the clocks of time zones: what a clock shows at an instant, and the instant at which it shows a time. Pure.

/** `YYYY-MM-DDTHH:MM:SS`, as a clock in the zone shows it. */
export const clockAt = (date: Date, timeZone: string): string =>
  new Date(date.getTime() + offsetAt(date.getTime(), timeZone)).toISOString().slice(0, 19);

/**
 * The instant at which a clock in the zone shows `YYYY-MM-DDTHH:MM[:SS]`; undefined for what is no time. Where a change of
 * the clock takes the time away, the moment after it; where it brings the time twice, the first.
 */
export function instantIn(local: string, timeZone: string): Date | undefined {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return undefined;
  // The offset at the instant that is looked for is not known before it is found: a day before and after has either.
  const offsets = [wanted - 86_400_000, wanted + 86_400_000].map((near) => offsetAt(near, timeZone));
  const found = offsets.map((offset) => wanted - offset).filter((one) => one + offsetAt(one, timeZone) === wanted);
  return new Date(found.length > 0 ? Math.min(...found) : wanted - Math.min(...offsets));
}

/** Milliseconds that the zone's clocks are ahead of UTC. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = formatterOf(timeZone).formatToParts(instant);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return local - Math.floor(instant / 1000) * 1000;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const ready = formatters.get(timeZone);
  if (ready) return ready;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: knownZone(timeZone),
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formatters.set(timeZone, made);
  return made;
}

/** To ask for a zone is work, and a page asks for the same one with every field. There are a few hundred names that are known. */
const known = new Set<string>();

/** The zone itself, or UTC where this machine does not know it. */
export function knownZone(timeZone: string): string {
  if (known.has(timeZone)) return timeZone;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone });
  } catch {
    return "UTC";
  }
  // However it is spelled: what somebody made up in endless ways of writing is not kept.
  if (known.size < 1_000) known.add(timeZone);
  return timeZone;
}
