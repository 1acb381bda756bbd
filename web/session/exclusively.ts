// Runs one thing at a time over all tabs of this browser. Web Locks where there are any; over plain http browsers
// withhold them, and a lease in localStorage takes their place.

const LEASE_MS = 10_000;
const LEASE_KEY = "dossier.refresh.lease";
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

export const exclusively = async <T>(run: () => Promise<T>): Promise<T> =>
  navigator.locks ? await navigator.locks.request("dossier.refresh", run) : withLease(localStorage, run);

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
