// Gives the totals of a list's columns over all matching rows that the caller may read. On a large table the first
// answer may come without them: they are worked out meanwhile and are there the next time.
import { setTimeout as delay } from "node:timers/promises";
import type { AclView } from "../access/acl-directory.ts";
import type { ColumnRef } from "../plan/column.ts";
import type { ListColumn, ListPlan } from "../plan/plan-list.ts";
import { isNumeric, valueTypeOf } from "../plan/value.ts";
import { type Matches, sumMatches, type VersionOf } from "./matches.ts";

export interface ColumnTotals {
  /** Decimal texts by the column's key in a row. */
  readonly byKey: ReadonlyMap<string, string>;
  readonly complete: boolean;
}

const none: ColumnTotals = { byKey: new Map(), complete: true };

/** A page is not kept waiting longer for its totals. */
const PATIENCE_MS = 400;

const totalled = (columns: readonly ListColumn[]): ListColumn[] =>
  columns.filter(({ properties, ref }) => properties.total && isNumeric(valueTypeOf(ref)));

export async function columnTotals(
  matches: Matches,
  plan: ListPlan,
  acl: AclView,
  versionOf: VersionOf,
  patience: number = PATIENCE_MS,
): Promise<ColumnTotals> {
  const columns = totalled(plan.columns);
  if (columns.length === 0) return none;
  const refs: ColumnRef[] = columns.map(({ ref }) => ref);
  const known = matches.find(plan, refs, versionOf) ?? (await soon(matches.make(plan, refs), patience));
  if (!known) return { byKey: new Map(), complete: false };
  const sums = sumMatches(known, plan, acl, columns.length);
  return { byKey: new Map(columns.map(({ key }, index) => [key, sums[index] ?? "0"])), complete: true };
}

async function soon<T>(work: Promise<T>, patience: number): Promise<T | undefined> {
  // Late or not, the work goes on; its failure then concerns nobody any more.
  work.catch(() => undefined);
  const stop = new AbortController();
  try {
    return await Promise.race([work, delay(patience, undefined, { signal: stop.signal, ref: false })]);
  } finally {
    stop.abort();
  }
}
