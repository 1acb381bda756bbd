// Takes amounts by currency; gives their one sum: in the currency that they share, else in the organization's by today's
// rates, rounded once to its digits. Where a rate is missing there is no sum, only the amounts by currency. Pure.
import { add, type Decimal, decimalOf, decimalText, multiply, round, zero } from "../../lib/exact-math.ts";
import type { Rates } from "./exchange-rates.ts";

export interface MoneySum {
  /** Null where amounts cannot be added up. */
  readonly text: string | null;
  /** The code of its currency; null where nobody said one. */
  readonly currency: string | null;
  /** The day of the oldest rate that was used; null where nothing was converted. */
  readonly rateDate: string | null;
  /** `EUR 12.00, USD 3.50` where there are several. */
  readonly byCurrency: string | null;
}

/** ISO 4217's code for no currency. */
const NO_CURRENCY = "XXX";

/** `amounts`: decimal texts by the id of their currency, "" where neither record nor organization says one. */
export function sumMoney(amounts: ReadonlyMap<string, string>, rates: Rates): MoneySum {
  const [first, ...others] = amounts.entries();
  if (!first) return { text: "0", currency: rates.own?.code ?? null, rateDate: null, byCurrency: null };
  if (others.length === 0)
    return { text: first[1], currency: codeOf(first[0], rates), rateDate: null, byCurrency: null };
  const byCurrency = listed(amounts, rates);
  const dates: string[] = [];
  let sum: Decimal = zero;
  for (const [id, amount] of amounts) {
    const conversion = rates.conversions.get(id);
    if (!conversion) return { text: null, currency: null, rateDate: null, byCurrency };
    sum = add(sum, multiply(decimalOf(amount), decimalOf(conversion.factor)));
    if (conversion.date !== undefined) dates.push(conversion.date);
  }
  return {
    text: decimalText(round(sum, rates.own?.digits ?? 2)),
    currency: rates.own?.code ?? null,
    rateDate: oldest(dates),
    byCurrency,
  };
}

/** The organization's where a record names none. */
export const currencyIdOf = (id: string | null | undefined, rates: Rates): string => id ?? rates.own?.id ?? "";

export const codeOf = (id: string, rates: Rates): string | null => rates.currencies.get(id)?.code ?? null;

export const listed = (amounts: ReadonlyMap<string, string>, rates: Rates): string =>
  [...amounts]
    .map(([id, amount]) => `${codeOf(id, rates) ?? NO_CURRENCY} ${amount}`)
    .sort()
    .join(", ");

export const oldest = (dates: readonly string[]): string | null =>
  dates.reduce<string | null>((first, date) => (first !== null && first <= date ? first : date), null);
