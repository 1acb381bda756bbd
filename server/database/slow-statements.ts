// Tells of statements of requests that took long, with what is known of the request: whose it was, and of which view. Never
// of values: a statement's text has none.
import type { About, Scope } from "./scope.ts";

/** To be called when a statement is over, however it ended; `began` is of performance.now(). */
export type StatementEnded = (text: string, began: number, scope: Scope | undefined) => void;

export interface SlowStatement extends About {
  readonly ms: number;
  readonly statement: string;
}

const MOST_TEXT = 2_000;

/** Of what runs in nobody's name nothing is told: jobs and builders of indexes take the time that they need. 0: nothing at all. */
export function slowStatements(afterMs: number, tell: (slow: SlowStatement) => void): StatementEnded {
  if (afterMs === 0) return () => undefined;
  return (text, began, scope) => {
    const ms = performance.now() - began;
    if (ms < afterMs || scope === undefined) return;
    const statement = text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)} …` : text;
    tell({ ...scope.about, ms: Math.round(ms), statement });
  };
}
