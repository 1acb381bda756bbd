// Tells of statements of requests, with what is known of the request (whose it was, and of which view): in the log of those that
// took long, in traces of all. Never of values: a statement's text has none.
import type { Tracer } from "../lib/tracing/tracer.ts";
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
    tell({ ...scope.about, ms: Math.round(ms), statement: shortened(text) });
  };
}

const shortened = (text: string): string => (text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)} …` : text);

/** A literal of ours is no value of anybody's; it is left out all the same. */
const LITERAL = /'[^']*'/g;
const SUMMARY = /^\s*(\w+)/;

/** A span for each statement of a request that is traced; undefined without a tracer. */
export function statementSpans(tracer: Tracer | undefined): StatementEnded | undefined {
  if (!tracer) return undefined;
  return (text, began, scope) => {
    if (scope?.trace === undefined) return;
    const { operation, type, view } = scope.about;
    const word = SUMMARY.exec(text.slice(0, 200))?.[1]?.toLowerCase() ?? "statement";
    const attributes = {
      "db.system.name": "postgresql",
      "db.query.text": shortened(text.replace(LITERAL, "'…'")),
      "dossier.operation": operation,
      "dossier.record_type": type,
      "dossier.view": view,
    };
    tracer.record(
      { name: type === undefined ? word : `${word} ${type}`, kind: "client", began, attributes, failure: undefined },
      scope.trace,
    );
  };
}

/** All of them, in order. */
export const allEnded = (...told: readonly (StatementEnded | undefined)[]): StatementEnded => {
  const each = told.filter((one) => one !== undefined);
  return (text, began, scope) => {
    for (const one of each) one(text, began, scope);
  };
};
