// Runs one thing at a time over all tabs of this browser. Web Locks where there are any; over plain http browsers
// withhold them, and a lease in localStorage takes their place.

const LEASE_MS = 10_000;
const LEASE_KEY = "dossier.refresh.lease";
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** What one tab wrote to localStorage reaches tabs of other processes a moment later: the turn ends after that. */
const SETTLE_MS = 150;

/** Gives what `run` gives as soon as it has it; the next tab's turn begins once it can see what this one wrote. */
export function exclusively<T>(run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const turn = async () => {
      await run().then(resolve, reject);
      await pause(SETTLE_MS);
    };
    const done = navigator.locks ? navigator.locks.request("dossier.refresh", turn) : withLease(localStorage, turn);
    done.catch(reject);
  });
}

/** A lease is taken by writing it and finding it unchanged a moment later; a tab that dies loses it after ten seconds. */
export async function withLease<T>(
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">,
  run: () => Promise<T>,
): Promise<T> {
  const me = Math.random().toString(36).slice(2);
  const mine = () => storage.getItem(LEASE_KEY)?.startsWith(`${me} `) === true;
  for (;;) {
    const [, until] = storage.getItem(LEASE_KEY)?.split(" ") ?? [];
    if (until === undefined || Number(until) < Date.now()) {
      storage.setItem(LEASE_KEY, `${me} ${Date.now() + LEASE_MS}`);
      await pause(20 + Math.random() * 20);
      if (mine()) break;
    }
    await pause(15 + Math.random() * 30);
  }
  try {
    return await run();
  } finally {
    if (mine()) storage.removeItem(LEASE_KEY);
  }
}
