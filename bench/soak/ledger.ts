// What people were told: which records they added, with which value, and which are deleted. What was on its way when a process
// was killed may have happened or not; either is right, and nothing else is.

export interface Kept {
  readonly organizationId: string;
  readonly id: string;
  /** What was acknowledged last, and what may have been saved since. */
  values: string[];
  /** May be either while an answer is missing. */
  deleted: ("0" | "1")[];
}

export interface Ledger {
  readonly records: readonly Kept[];
  added(organizationId: string, id: string, value: string): Kept;
}

export function openLedger(): Ledger {
  const records: Kept[] = [];
  return {
    records,
    added: (organizationId, id, value) => {
      const kept: Kept = { organizationId, id, values: [value], deleted: ["0"] };
      records.push(kept);
      return kept;
    },
  };
}

/** `outcome`: it was acknowledged, it was refused, or nobody knows. */
export function settle<T>(possible: T[], wanted: T, outcome: "done" | "refused" | "unknown"): T[] {
  if (outcome === "done") return [wanted];
  return outcome === "refused" ? possible : [...new Set([...possible, wanted])];
}
