// What a round of load comes to, and how rounds are put together: medians with their spread, never a best one.

export interface Round {
  readonly perSecond: number;
  readonly count: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly errors: number;
  /** One of them, in the service's own words. */
  readonly error?: string;
  /** Body bytes of an answer, on average. */
  readonly bytes?: number;
  /** Milliseconds of processor time that the service took for an answer; its database not counted. */
  readonly cpu?: number;
}

export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function latencies(took: readonly number[]): Pick<Round, "p50" | "p95" | "p99"> {
  const sorted = took.toSorted((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), p99: quantile(sorted, 0.99) };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 0 ? ((sorted[middle - 1] ?? upper) + upper) / 2 : upper;
}

export const spread = (values: readonly number[]): Spread => ({
  median: median(values),
  low: Math.min(...values),
  high: Math.max(...values),
});

/** Round by round, so that what disturbed the machine in one of them disturbed both sides. Undefined without any to compare. */
export function ratios(ours: readonly Round[], theirs: readonly Round[]): Spread | undefined {
  const found = ours.flatMap((round, index) => {
    const other = theirs[index]?.perSecond ?? 0;
    return other > 0 ? [round.perSecond / other] : [];
  });
  return found.length > 0 ? spread(found) : undefined;
}

export interface Side {
  readonly perSecond: Spread;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly count: number;
  readonly errors: number;
  readonly error?: string;
  readonly bytes?: number;
  readonly cpu?: number;
}

/** Several rounds of one side. */
export function sideOf(rounds: readonly Round[]): Side {
  const of = (name: "p50" | "p95" | "p99") => median(rounds.map((round) => round[name]));
  const error = rounds.find((round) => round.error !== undefined)?.error;
  const known = (name: "bytes" | "cpu") => rounds.flatMap((round) => round[name] ?? []);
  const [bytes, cpu] = [known("bytes"), known("cpu")];
  return {
    perSecond: spread(rounds.map((round) => round.perSecond)),
    p50: of("p50"),
    p95: of("p95"),
    p99: of("p99"),
    count: rounds.reduce((sum, round) => sum + round.count, 0),
    errors: rounds.reduce((sum, round) => sum + round.errors, 0),
    ...(error === undefined ? {} : { error }),
    ...(bytes.length > 0 ? { bytes: median(bytes) } : {}),
    ...(cpu.length > 0 ? { cpu: median(cpu) } : {}),
  };
}
