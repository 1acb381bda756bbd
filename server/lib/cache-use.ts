// Counts how often a cache of this process was of use, by the cache's name. For the metrics, and nothing else.

export interface CacheUse {
  hits: number;
  misses: number;
}

const uses = new Map<string, CacheUse>();

export const cacheUses = (): ReadonlyMap<string, Readonly<CacheUse>> => uses;

/** Gives the way to count one cache. */
export function cacheUse(name: string): (hit: boolean) => void {
  const use = uses.get(name) ?? { hits: 0, misses: 0 };
  uses.set(name, use);
  return (hit) => {
    if (hit) use.hits += 1;
    else use.misses += 1;
  };
}
