// What a check-up finds: how bad it is, and a sentence that says what it is and what to do.

export type Level = "fine" | "warning" | "error";

export interface Finding {
  readonly level: Level;
  /** What was looked at, in a word or two. */
  readonly about: string;
  readonly sentence: string;
}

export const fine = (about: string, sentence: string): Finding => ({ level: "fine", about, sentence });
export const warning = (about: string, sentence: string): Finding => ({ level: "warning", about, sentence });
export const error = (about: string, sentence: string): Finding => ({ level: "error", about, sentence });

/** As monitoring programs read it: 0 fine, 1 warnings, 2 errors. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ level }) => level === "error")) return 2;
  return findings.some(({ level }) => level === "warning") ? 1 : 0;
}

/** What was found, or that there is nothing to say against it. */
export const orFine = (found: readonly Finding[], otherwise: Finding): readonly Finding[] =>
  found.length > 0 ? found : [otherwise];
