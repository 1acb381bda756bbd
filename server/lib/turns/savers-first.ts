// Asked before rows are made into an answer. While somebody saves, they have a turn of the process in between: else all that the
// database answered meanwhile is presented in one go, and a save, which needs the process several times, waits for all lists
// each time. When nobody saves, there is no wait: turns cost a list a fifth of its time.

/** A list takes about as long; of what is shorter, several go at once. */
const TURN_MS = 3;

export interface SaversFirst {
  /** Runs work of somebody who saves. */
  saving<T>(work: () => Promise<T>): Promise<T>;
  /** Undefined where nobody has to be let go first. */
  readerTurn(): Promise<void> | undefined;
}

export function createSaversFirst(): SaversFirst {
  const waiting: (() => void)[] = [];
  let savers = 0;
  let isAsked = false;
  let began = 0;
  let went = 0;
  /** Milliseconds of one, lately. */
  let each = TURN_MS;

  const ask = (): void => {
    if (isAsked) return;
    isAsked = true;
    setImmediate(go);
    // What a callback gives rise to is done before the next one.
    setImmediate(look);
  };
  const go = (): void => {
    began = performance.now();
    const next = waiting.splice(0, savers === 0 ? waiting.length : Math.max(1, Math.floor(TURN_MS / each)));
    went = next.length;
    for (const resolve of next) resolve();
  };
  const look = (): void => {
    const took = Math.max(0.05, (performance.now() - began) / went);
    each += (took - each) / 8;
    isAsked = false;
    if (waiting.length > 0) ask();
  };

  return {
    saving: async (work) => {
      savers += 1;
      try {
        return await work();
      } finally {
        savers -= 1;
      }
    },
    readerTurn: () => {
      if (savers === 0) return undefined;
      return new Promise((resolve) => {
        waiting.push(resolve);
        ask();
      });
    },
  };
}

/** Of this process. */
export const saversFirst = createSaversFirst();
