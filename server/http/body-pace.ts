// Takes the pieces of a body as they come; gives them on while they come fast enough. Only the time that is spent waiting for
// the sender counts, so a large body may take hours, and one that hardly moves ends soon.
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";

export interface Pace {
  /** The longest wait for a piece. */
  readonly idleMs: number;
  /** What every body may wait in all, however small it is. */
  readonly graceMs: number;
  /** Beyond that, what must have come. */
  readonly bytesPerSecond: number;
}

export const pace: Pace = { idleMs: 60_000, graceMs: 300_000, bytesPerSecond: 64 * 1024 };

/** Never ends the source: what was not read is left to whoever asks for it. */
export async function* inPace<T extends Uint8Array>(
  pieces: AsyncIterator<T>,
  { idleMs, graceMs, bytesPerSecond }: Pace = pace,
): AsyncGenerator<T, void> {
  let waited = 0;
  let bytes = 0;
  for (;;) {
    const patience = Math.min(idleMs, graceMs + (bytes / bytesPerSecond) * 1_000 - waited);
    const begun = performance.now();
    const next = await inTime(pieces.next(), patience);
    waited += performance.now() - begun;
    if (next.done) return;
    bytes += next.value.length;
    yield next.value;
  }
}

function inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Failure("malformed_body", { with: { reason: say("body_too_slow") } }));
    const timer = setTimeout(late, Math.max(0, ms));
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
