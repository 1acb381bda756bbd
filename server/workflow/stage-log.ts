// The log of a record's way through its workflow, read as a story: where it stands, what was agreed there, and how long it
// stayed anywhere. Pure.
import type { Actor } from "../access/acl.ts";

export interface LogEntry {
  /** `start`, `move`, `vote`. */
  readonly step: "start" | "move" | "vote";
  readonly from: string | null;
  readonly to: string;
  readonly version: string;
  /** Of a vote: the actors for whom it counts. */
  readonly settled: readonly Actor[];
  readonly created: string;
}

export interface Replayed {
  readonly stage: string;
  readonly version: string;
  readonly since: string;
  readonly agreed: readonly Actor[];
}

/** Entries oldest first. Undefined where the story does not hold together: a step from where the record was not. */
export function replay(entries: readonly LogEntry[]): Replayed | undefined {
  let now: Replayed | undefined;
  for (const { step, from, to, version, settled, created } of entries) {
    if (step === "start") {
      now = { stage: to, version, since: created, agreed: [] };
    } else if (now === undefined || from !== now.stage || version !== now.version) {
      return undefined;
    } else if (step === "vote") {
      if (to !== from) return undefined;
      now = { ...now, agreed: [...now.agreed, ...settled] };
    } else now = { stage: to, version, since: created, agreed: [] };
  }
  return now;
}

/** Seconds between two instants of the wire. */
export const secondsBetween = (from: string, to: string): number =>
  Math.max(0, Math.round((Date.parse(`${to.replace(" ", "T")}Z`) - Date.parse(`${from.replace(" ", "T")}Z`)) / 1000));
