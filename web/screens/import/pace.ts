// How fast a job goes and how long it still takes, from what was seen of it lately. Pure.

export interface Seen {
  /** Milliseconds. */
  readonly at: number;
  readonly done: number;
}

/** What is older says little about now. */
const WINDOW_MS = 15_000;
const LEAST_MS = 1_000;

export const see = (seen: readonly Seen[], now: Seen): readonly Seen[] => {
  const last = seen.at(-1);
  // Another job, or the same one from the start.
  if (last !== undefined && now.done < last.done) return [now];
  return [...seen.filter(({ at }) => now.at - at <= WINDOW_MS), now];
};

/** Rows per second and seconds left; undefined while it cannot be told. */
export function paceOf(
  seen: readonly Seen[],
  total: number,
): { readonly rate: number; readonly secondsLeft: number } | undefined {
  const [first, last] = [seen[0], seen.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < LEAST_MS || last.done <= first.done)
    return undefined;
  const rate = ((last.done - first.done) * 1000) / (last.at - first.at);
  return { rate, secondsLeft: Math.max(0, total - last.done) / rate };
}

/** In the unit that people would say it in. */
export function lengthOf(seconds: number): { readonly value: number; readonly unit: "second" | "minute" | "hour" } {
  if (seconds < 60) return { value: Math.max(1, Math.ceil(seconds)), unit: "second" };
  if (seconds < 5_400) return { value: Math.ceil(seconds / 60), unit: "minute" };
  return { value: Math.ceil(seconds / 3_600), unit: "hour" };
}
