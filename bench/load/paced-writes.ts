// Takes a rate; sends that many writes per second for as long as it is not stopped, whatever the service does: each at its
// time, and its latency counts from that time.

import { latencies, type Round } from "./figures.ts";
import { type Asked, encode, type Line, openLine } from "./http-load.ts";

/** Milliseconds: when it was due, from the first one on, and how long it took from then. */
export interface Paced {
  readonly at: number;
  readonly took: number;
}

export interface PacedWrites {
  /** `each`: those that were answered, the slowest first. */
  stop(): Promise<Round & { readonly each: readonly Paced[] }>;
}

/** Writes that may be under way at once; more are counted as errors. */
const MOST_OPEN = 64;

export function startWrites(port: number, token: string, rate: number, next: () => Asked): PacedWrites {
  const began = performance.now();
  const each: Paced[] = [];
  const free: Line[] = [];
  const open = new Set<Promise<void>>();
  let errors = 0;
  let error: string | undefined;
  let sent = 0;
  const fail = (text: string): void => {
    errors += 1;
    error ??= text;
  };

  const freeLine = (): Line | undefined => {
    let line = free.pop();
    while (line && !line.isOpen()) line = free.pop();
    return line;
  };
  const send = async (due: number): Promise<void> => {
    let line: Line | undefined;
    try {
      line = freeLine() ?? (await openLine(port));
      const answer = await line.ask(encode(next(), token));
      if (answer.status >= 400) fail(`${answer.status} ${answer.text}`);
      else each.push({ at: due - began, took: performance.now() - due });
      free.push(line);
    } catch (problem) {
      line?.close();
      fail(String(problem));
    }
  };

  const tick = (): void => {
    for (;;) {
      const due = began + (sent * 1000) / rate;
      if (due > performance.now()) return;
      sent += 1;
      if (open.size >= MOST_OPEN) {
        fail("too many writes under way");
        continue;
      }
      const one = send(due).finally(() => open.delete(one));
      open.add(one);
    }
  };
  const timer = setInterval(tick, Math.min(20, 500 / rate));

  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      const elapsed = (performance.now() - began) / 1000;
      for (const line of free) line.close();
      return {
        perSecond: each.length / elapsed,
        count: each.length,
        ...latencies(each.map(({ took }) => took)),
        each: each.toSorted((a, b) => b.took - a.took),
        errors,
        ...(error === undefined ? {} : { error }),
      };
    },
  };
}
