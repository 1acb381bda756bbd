// Takes work in the name of somebody; runs so much of it at a time, and of one name, or of several, never so much that nothing
// is left for the next. Those who wait are let in by turns of their names, so that a long queue of one does not delay another.

/** How long somebody waits. */
export interface Patience {
  readonly signal?: AbortSignal | undefined;
  /** Of performance.now(). Whoever has not been let in by then is refused. */
  readonly deadline?: number | undefined;
}

export interface FairGate {
  run<T>(name: string, work: () => Promise<T>, patience?: Patience): Promise<T>;
  /** How many of a name wait; without one, of all. */
  waiting(name?: string): number;
  /** Refuses all who wait now. */
  refuseAll(): void;
}

export interface GateLimits {
  /** At once, over all names. */
  readonly slots: number;
  /** At once, of one name. */
  readonly perName: number;
  /** How many of one name may wait; the next is refused. */
  readonly mostWaiting: number;
  /** What those are told who find no place to wait, or waited in vain. `isOwn`: their name has all the places that it can have. */
  readonly refuse: (isOwn: boolean) => Error;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: () => void;
}

export function createFairGate({ slots, perName, mostWaiting, refuse: refusal }: GateLimits): FairGate {
  const running = new Map<string, number>();
  /** By name, in the order of their turns. */
  const queues = new Map<string, Waiting[]>();
  let taken = 0;

  /** Past its first place, a name takes another only while more are free than it has: each further name finds one. */
  const isFree = (name: string): boolean => {
    const mine = running.get(name) ?? 0;
    const free = slots - taken;
    return mine === 0 ? free > 0 : mine < perName && free > mine;
  };

  const refuse = (name: string): Error => refusal((running.get(name) ?? 0) >= perName);

  const take = (name: string): void => {
    taken += 1;
    running.set(name, (running.get(name) ?? 0) + 1);
  };

  const leave = (name: string): void => {
    taken -= 1;
    const left = (running.get(name) ?? 1) - 1;
    if (left > 0) running.set(name, left);
    else running.delete(name);
    letIn();
  };

  const letIn = (): void => {
    for (const [name, queue] of queues) {
      if (taken >= slots) return;
      if (!isFree(name)) continue;
      const next = queue.shift();
      queues.delete(name);
      // Its next one waits until all the others had their turn.
      if (queue.length > 0) queues.set(name, queue);
      if (!next) continue;
      take(name);
      next.start();
    }
  };

  const wait = (name: string, { signal, deadline = Number.POSITIVE_INFINITY }: Patience): Promise<void> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(name) ?? [];
      if (queue.length >= mostWaiting) {
        reject(refuse(name));
        return;
      }
      const forget = (reason: unknown) => {
        settle();
        queue.splice(queue.indexOf(entry), 1);
        if (queue.length === 0 && queues.get(name) === queue) queues.delete(name);
        reject(reason);
      };
      const onAbort = () => forget(signal?.reason);
      const timer = Number.isFinite(deadline)
        ? setTimeout(() => forget(refuse(name)), Math.max(0, deadline - performance.now())).unref()
        : undefined;
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      const entry: Waiting = {
        start: () => {
          settle();
          resolve();
        },
        refuse: () => forget(refuse(name)),
      };
      queue.push(entry);
      queues.set(name, queue);
      signal?.addEventListener("abort", onAbort, { once: true });
    });

  const runNow = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } finally {
      leave(name);
    }
  };

  return {
    waiting: (name) =>
      name === undefined
        ? [...queues.values()].reduce((sum, queue) => sum + queue.length, 0)
        : (queues.get(name)?.length ?? 0),
    refuseAll: () => {
      for (const queue of [...queues.values()]) for (const { refuse: leaveQueue } of [...queue]) leaveQueue();
    },
    run: (name, work, patience = {}) => {
      if (patience.signal?.aborted) return Promise.reject(patience.signal.reason);
      if (!isFree(name)) return wait(name, patience).then(() => runNow(name, work));
      take(name);
      return runNow(name, work);
    },
  };
}
