// Counts what people were answered, by kind, with times; and tells answers that were asked for (a process was killed, a
// restart, a design that changed) from those that nobody asked for.
import type { Told } from "./fleet.ts";

export interface Tally {
  note(kind: string, told: Told, ms: number, allowed: readonly number[]): void;
  /** From now on, and for a while after its end, requests may fail for this reason. */
  begin(trouble: string): () => void;
  readonly answered: () => number;
  readonly times: number[];
  /** By what they were and during what. */
  readonly expected: ReadonlyMap<string, number>;
  readonly faults: ReadonlyMap<string, number>;
}

/** Connections that were open to what was killed, and pools that come back. */
const AFTERMATH_MS = 15_000;
const MOST_TIMES = 2_000_000;

export function openTally(): Tally {
  let answered = 0;
  const times: number[] = [];
  const expected = new Map<string, number>();
  const faults = new Map<string, number>();
  const troubles = new Map<string, number>();
  const count = (into: Map<string, number>, name: string) => void into.set(name, (into.get(name) ?? 0) + 1);
  const trouble = (): string | undefined => {
    const now = performance.now();
    return [...troubles].find(([, until]) => until > now)?.[0];
  };
  return {
    times,
    expected,
    faults,
    answered: () => answered,
    note: (kind, { status, body }, ms, allowed) => {
      answered += 1;
      if (times.length < MOST_TIMES) times.push(ms);
      if (status === 200 || (status !== undefined && allowed.includes(status))) return;
      // A request's id would make every failure one of its kind; the log has it.
      const why = Array.isArray(body.errors) && status !== 500 ? String(body.errors[0] ?? "").slice(0, 120) : "";
      const name = `${kind}: ${status ?? "no answer"} ${String(body.error_code ?? "")} ${why}`.trim();
      const during = trouble();
      // A stranger's mistake is never asked for; that a process or the database is away is, while one is.
      if ((status === undefined || status === 503) && during !== undefined) count(expected, `${during}: ${name}`);
      else count(faults, name);
    },
    begin: (name) => {
      troubles.set(name, Number.POSITIVE_INFINITY);
      return () => void troubles.set(name, performance.now() + AFTERMATH_MS);
    },
  };
}
