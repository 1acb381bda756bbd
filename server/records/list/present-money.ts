// Takes a group's row; gives what the response says of its amounts: in which currency they are, what they are made of
// where there are several, and by rates of which day they were converted. Pure.
import { add, compare, decimalOf, decimalText, divide, round } from "../../lib/exact-math.ts";
import type { AggregatePlan } from "../../plan/aggregate.ts";
import { byCurrencyKey, currencyKey } from "../../plan/currency.ts";
import type { GroupsPlan } from "../../plan/plan-groups.ts";
import { type GroupRow, groupFixedColumns } from "../../query/compile-groups.ts";
import { mixedColumns, moneyColumns } from "../../query/grouped.ts";
import type { Rates } from "./exchange-rates.ts";
import { codeOf, oldest } from "./money-sum.ts";

/** Where a column's own further columns begin; undefined where it has none. */
export function moneyPosition(plan: GroupsPlan, of: AggregatePlan): number | undefined {
  const place = mixedColumns(plan).findIndex(({ name }) => name === of.name);
  if (place < 0) return undefined;
  return groupFixedColumns.first + plan.columns.length * 2 + place * moneyColumns.count;
}

export function presentMoney(
  plan: GroupsPlan,
  row: GroupRow,
  key: string,
  of: AggregatePlan,
  rates: Rates | undefined,
): Record<string, string | null> {
  if (of.currency?.kind === "hidden") return {};
  const at = moneyPosition(plan, of);
  if (at === undefined) return { [currencyKey(key)]: rates?.own?.code ?? null };
  const parts = row[at + moneyColumns.parts] ?? null;
  return {
    [currencyKey(key)]: row[at + moneyColumns.currency] ?? null,
    [byCurrencyKey(key)]: parts === null ? null : listedParts(of, parts),
  };
}

/** `EUR 12.00, USD 3.50`, from the parts of the groups that have the same currency. */
export function listedParts({ aggregate }: AggregatePlan, parts: string): string {
  const amounts = new Map<string, { amount: ReturnType<typeof decimalOf>; count: ReturnType<typeof decimalOf> }>();
  for (const part of parts.split(" ")) {
    const [code = "", amountText = "0", countText = "0"] = part.split(":");
    const [amount, count] = [decimalOf(amountText), decimalOf(countText)];
    const known = amounts.get(code);
    if (!known) amounts.set(code, { amount, count });
    else {
      const first = compare(known.amount, amount) <= 0 === (aggregate === "min") ? known.amount : amount;
      const together = aggregate === "min" || aggregate === "max" ? first : add(known.amount, amount);
      amounts.set(code, { amount: together, count: add(known.count, count) });
    }
  }
  return [...amounts]
    .map(([code, { amount, count }]) => {
      const value = aggregate === "avg" ? round(divide(amount, count, 30), amount.scale) : amount;
      return `${code} ${decimalText(value)}`;
    })
    .sort()
    .join(", ");
}

/** `currency`: the one that all groups are in, if there is one. */
export function moneyHeader(
  plan: GroupsPlan,
  of: AggregatePlan,
  first: GroupRow | undefined,
  rates: Rates | undefined,
): Record<string, string | null> {
  if (!of.currency || !rates) return {};
  if (of.currency.kind === "hidden") return { currency: null, rate_date: null };
  const own = rates.own?.code ?? null;
  const at = moneyPosition(plan, of);
  const used = at === undefined ? [] : (first?.[at + moneyColumns.used] ?? "").split(" ").filter(Boolean);
  const [only] = used;
  if (only === undefined || used.length === 1) {
    return { currency: only === undefined ? own : codeOf(only, rates), rate_date: null };
  }
  const { currency } = of;
  if (currency.kind === "field" && plan.groups.some(({ name, period }) => !period && name === currency.ref.name)) {
    return { currency: null, rate_date: null };
  }
  return { currency: own, rate_date: oldest(used.flatMap((id) => rates.conversions.get(id)?.date ?? [])) };
}
