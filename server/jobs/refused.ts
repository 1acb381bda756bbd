// A job that cannot go on, with the reasons that its record will tell.
import type { Message } from "../../contract/messages.ts";
import type { ChunkOutcome } from "./job.ts";

export class Refused extends Error {
  readonly reasons: readonly Message[];
  /** Of a job that was all or nothing: what stood in its way. */
  readonly outcome: ChunkOutcome | undefined;

  constructor(reasons: readonly Message[], outcome?: ChunkOutcome) {
    super("the job was refused");
    this.reasons = reasons;
    this.outcome = outcome;
  }
}
