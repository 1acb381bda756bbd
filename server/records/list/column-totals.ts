// Gives the totals of a list's columns over all matching rows that the caller may read. On a large table the first
// answer may come without them, and later ones with those of a while ago: the response says so.
import { setTimeout as delay } from "node:timers/promises";
import { withoutTrailingZeros } from "../../fields/columns/exact-decimal.ts";
import { decimalOf, decimalSum, decimalText, divide, round } from "../../lib/exact-math.ts";
import type { CurrencySource } from "../../plan/currency.ts";
import type { ListColumn, ListPlan } from "../../plan/plan-list.ts";
import type { ReadablePlan } from "../../plan/readable-plan.ts";
import { isNumeric, valueTypeOf } from "../../plan/value.ts";
import type { SummedColumn } from "../../query/compile-matches.ts";
import type { Rates } from "./exchange-rates.ts";
import { type Matches, type MatchesBySet, sumMatches, type VersionOf } from "./matches.ts";
import { currencyIdOf, type MoneySum, sumMoney } from "./money-sum.ts";

export interface ColumnTotal extends MoneySum {
  readonly isMoney: boolean;
}

export interface ColumnTotals {
  /** By the column's key in a row. */
  readonly byKey: ReadonlyMap<string, ColumnTotal>;
  readonly complete: boolean;
}

const none: ColumnTotals = { byKey: new Map(), complete: true };

/** A page is not kept waiting longer for its totals. */
const PATIENCE_MS = 400;

const totalled = (columns: readonly ListColumn[]): ListColumn[] =>
  columns.filter(({ properties, ref, actors }) => properties.total && !actors && isNumeric(valueTypeOf(ref)));

export async function columnTotals(
  matches: Matches,
  plan: ReadablePlan,
  versionOf: VersionOf,
  rates: Rates | undefined,
  patience: number = PATIENCE_MS,
): Promise<ColumnTotals> {
  const columns = totalled(plan.columns);
  if (columns.length === 0) return none;
  const averaged = columns.filter(isAveraged);
  const refs = [
    ...columns.map(
      ({ ref, currency }): SummedColumn => (currency?.kind === "field" ? { ref, currency: currency.ref } : { ref }),
    ),
    ...averaged.map(({ ref }): SummedColumn => ({ ref, isCounted: true })),
  ];
  const known =
    matches.find(plan, refs, versionOf) ??
    (await matches.renew(plan, refs, versionOf)) ??
    (await workedOut(matches, plan, refs, patience));
  const last = known ?? matches.last(plan, refs)?.value;
  if (!last) return { byKey: new Map(), complete: false };
  const sums = sumMatches(last, plan, refs.length);
  const byKey = new Map(
    columns.map((column, index) => {
      const counted = sums[columns.length + averaged.indexOf(column)];
      const total = isAveraged(column) ? averageOf(sums[index], counted) : totalOf(sums[index], column.currency, rates);
      return [column.key, total];
    }),
  );
  return { byKey, complete: known !== undefined };
}

const isAveraged = ({ ref }: ListColumn): boolean => valueTypeOf(ref).type.total === "average";

/** More decimals than people read, and few enough to be written in full. */
const AVERAGE_PLACES = 4;

function averageOf(sums: ReadonlyMap<string, string> = new Map(), counts: ReadonlyMap<string, string> = new Map()) {
  const [sum, count] = [sums, counts].map((one) => decimalOf(decimalSum(one.values())));
  const text =
    !sum || !count || count.units === 0n
      ? null
      : withoutTrailingZeros(
          decimalText(round(divide(sum, count, AVERAGE_PLACES + sum.units.toString().length), AVERAGE_PLACES)),
        );
  return { ...unknown, text, isMoney: false };
}

const unknown = { text: null, currency: null, rateDate: null, byCurrency: null };

function totalOf(
  sums: ReadonlyMap<string, string> = new Map(),
  currency: CurrencySource | undefined,
  rates: Rates | undefined,
): ColumnTotal {
  if (!currency || !rates) return { ...unknown, text: decimalSum(sums.values()), isMoney: false };
  // Amounts whose currencies the caller may not see may be in several.
  if (currency.kind === "hidden") return { ...unknown, isMoney: true };
  const amounts = new Map<string, string>();
  for (const [id, sum] of sums) {
    const known = currencyIdOf(id === "" ? null : id, rates);
    amounts.set(known, decimalSum([amounts.get(known) ?? "0", sum]));
  }
  return { ...sumMoney(amounts, rates), isMoney: true };
}

/** Totals that take long are not worked out for every change: they rest for so many times as long as they took. */
const RESTS = 10;

async function workedOut(
  matches: Matches,
  plan: ListPlan,
  refs: readonly SummedColumn[],
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
