// A job that cannot go on, with the reasons that its record will tell.
import type { ChunkOutcome } from "./job.ts";

export class Refused extends Error {
  readonly reasons: readonly string[];
  /** Of a job that was all or nothing: what stood in its way. */
  readonly outcome: ChunkOutcome | undefined;

  constructor(reasons: readonly string[], outcome?: ChunkOutcome) {
    super(reasons[0] ?? "");
    this.reasons = reasons;
    this.outcome = outcome;
  }
}
