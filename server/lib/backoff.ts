// How long to leave something alone after it failed: longer each time that it fails soon after it was taken back. Pure.

export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
  /** What worked for so long is trusted like new. */
  readonly steadyMs: number;
}

/** The pause after a failure, from the one before it (0: none) and how long it worked in between. */
export const pauseAfter = ({ firstMs, mostMs, steadyMs }: Backoff, lastMs: number, workedMs: number): number =>
  lastMs === 0 || workedMs >= steadyMs ? firstMs : Math.min(mostMs, lastMs * 2);
