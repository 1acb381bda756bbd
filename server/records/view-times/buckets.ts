// Durations as counts per bucket, so that those of many processes and days can be added up: two buckets for each doubling, from
// a millisecond to some 30 seconds. Pure.

const PER_DOUBLING = 2;
const LAST = 30;

export const bucketOf = (ms: number): number =>
  Math.min(LAST, Math.max(0, Math.ceil(Math.log2(Math.max(ms, 1)) * PER_DOUBLING)));

/** Up to which a bucket goes, in milliseconds. */
const endOf = (bucket: number): number => (bucket < 0 ? 0 : 2 ** (bucket / PER_DOUBLING));

/** The duration that a part (0.95, say) of the lists did not exceed, to within a bucket; undefined where there were none. */
export function percentile(counts: ReadonlyMap<number, number>, part: number): number | undefined {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (all === 0) return undefined;
  const rank = Math.max(1, Math.ceil(all * part));
  let before = 0;
  for (const bucket of [...counts.keys()].sort((one, other) => one - other)) {
    const count = counts.get(bucket) ?? 0;
    if (count > 0 && before + count >= rank) {
      const [from, to] = [endOf(bucket - 1), endOf(bucket)];
      return from + (to - from) * ((rank - before) / count);
    }
    before += count;
  }
  return undefined;
}
