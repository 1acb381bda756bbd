// Gives the totals of a list's columns over all matching rows that the caller may read. On a large table the first
// answer may come without them, and later ones with those of a while ago: the response says so.
import { setTimeout as delay } from "node:timers/promises";
import type { AclView } from "../access/acl-directory.ts";
import type { ColumnRef } from "../plan/column.ts";
import type { ListColumn, ListPlan } from "../plan/plan-list.ts";
import { isNumeric, valueTypeOf } from "../plan/value.ts";
import { type Matches, type MatchesBySet, sumMatches, type VersionOf } from "./matches.ts";

export interface ColumnTotals {
  /** Decimal texts by the column's key in a row. */
  readonly byKey: ReadonlyMap<string, string>;
  readonly complete: boolean;
}

const none: ColumnTotals = { byKey: new Map(), complete: true };

/** A page is not kept waiting longer for its totals. */
const PATIENCE_MS = 400;

const totalled = (columns: readonly ListColumn[]): ListColumn[] =>
  columns.filter(({ properties, ref, actors }) => properties.total && !actors && isNumeric(valueTypeOf(ref)));

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
  const known = matches.find(plan, refs, versionOf) ?? (await workedOut(matches, plan, refs, patience));
  const last = known ?? matches.last(plan, refs)?.value;
  if (!last) return { byKey: new Map(), complete: false };
  const sums = sumMatches(last, plan, acl, columns.length);
  const byKey = new Map(columns.map(({ key }, index) => [key, sums[index] ?? "0"]));
  return { byKey, complete: known !== undefined };
}

/** Totals that take long are not worked out for every change: they rest for so many times as long as they took. */
const RESTS = 10;

async function workedOut(
  matches: Matches,
  plan: ListPlan,
  refs: readonly ColumnRef[],
  patience: number,
): Promise<MatchesBySet | undefined> {
  const last = matches.last(plan, refs);
  if (!last || last.tookMs <= patience) return soon(matches.make(plan, refs), patience);
  if (performance.now() - last.finished > RESTS * last.tookMs) matches.make(plan, refs).catch(() => undefined);
  return undefined;
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
