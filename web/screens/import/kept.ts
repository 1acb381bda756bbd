// What is kept of an import in this tab while somebody looks at something else: the uploaded file by its id, how it is read,
// what was chosen, and the jobs that check and run it. Never the file itself.
import { useState } from "react";
import type { Dialect } from "../../../client/records/imports.ts";
import { ownKey } from "../../session/own-key.ts";
import type { Choices, Corrections } from "./choices.ts";

export interface Kept {
  readonly file: { readonly id: string; readonly name: string; readonly size: number };
  /** What was changed of what was recognized. */
  readonly dialect: Partial<Dialect>;
  readonly choices: Choices;
  /** The last check, and the corrections that it knew. */
  readonly check?: { readonly jobId: string; readonly corrections: Corrections } | undefined;
  /** The job that imports. */
  readonly run?: string | undefined;
  /** What became of it was seen: whoever comes back begins anew. */
  readonly isOver?: true | undefined;
}

/** Whether the same would be imported, but for cells that were corrected. */
export function sameImport(one: Kept, other: Kept): boolean {
  const told = ({ file, dialect, choices: { corrections: _, ...rest } }: Kept) =>
    JSON.stringify([file.id, dialect, rest]);
  return told(one) === told(other);
}

const VERSION = "1";

function read(name: string): Kept | undefined {
  try {
    const text = sessionStorage.getItem(name);
    // Written by this file alone.
    const kept = text === null ? undefined : (JSON.parse(text) as Kept);
    return kept?.isOver ? undefined : kept;
  } catch {
    return undefined;
  }
}

function write(name: string, kept: Kept | undefined): void {
  try {
    if (kept === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(kept));
  } catch {
    // No room: it is there until the page is left.
  }
}

export type Change = (kept: Kept) => Kept | undefined;

export function useKept(recordTypeKey: string): {
  readonly kept: Kept | undefined;
  readonly begin: (kept: Kept | undefined) => void;
  readonly change: (change: Change) => void;
} {
  const name = ownKey("import", VERSION, recordTypeKey);
  const [kept, setKept] = useState(() => read(name));
  const begin = (next: Kept | undefined): void => {
    write(name, next);
    setKept(next);
  };
  const change = (make: Change): void =>
    setKept((current) => {
      const next = current && make(current);
      write(name, next);
      return next;
    });
  return { kept, begin, change };
}
