// Reads the refusal of a save that was made on an older state of a record.

import { WireFailure } from "../transport/wire-failure.ts";
import type { Difference, WireRecord } from "./records.ts";

export interface RevisionConflict {
  readonly differences: readonly Difference[];
  /** The record as it is stored now. */
  readonly current: WireRecord;
}

export const revisionOf = ({ revision }: WireRecord): string | undefined =>
  typeof revision === "string" ? revision : undefined;

export function conflictOf(error: unknown, alias: string): RevisionConflict | undefined {
  if (!(error instanceof WireFailure) || error.status !== 409) return undefined;
  // The body of a stale revision, as the service's contract has it.
  const { differences, current } = error.body as {
    differences?: readonly Difference[];
    current?: Readonly<Record<string, WireRecord>>;
  };
  const record = current?.[alias];
  return differences === undefined || record === undefined ? undefined : { differences, current: record };
}
