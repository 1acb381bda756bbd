// Keeps what every currency is worth in an organization's own, by the newest rate of each pair that is not in the future,
// for as long as the tables stay the same. Factors are decimals of 30 digits, the same in a statement and in the process.
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { readVersions, type VersionedTable } from "../../database/versions.ts";
import { type Decimal, decimalOf, decimalText, divide, multiply } from "../../lib/exact-math.ts";
import { CURRENCIES, EXCHANGE_RATES } from "../../plan/currency.ts";
import { createVersionedCache } from "./versioned-cache.ts";

export interface Currency {
  readonly id: string;
  readonly code: string;
  /** Of its smallest unit: JPY 0, EUR 2, KWD 3. */
  readonly digits: number;
}

export interface Conversion {
  /** Units of the organization's currency for one of this. */
  readonly factor: string;
  /** Of the oldest rate that it is made of; undefined for the organization's own. */
  readonly date: string | undefined;
}

export interface Rates {
  /** The organization's own; undefined where it has none. */
  readonly own: Currency | undefined;
  readonly currencies: ReadonlyMap<string, Currency>;
  /** By the id of a currency; those without a rate are not there. */
  readonly conversions: ReadonlyMap<string, Conversion>;
}

export interface ExchangeRates {
  /** As of today. `version`: of `rateTables`, joined by a space, as the statement that asks saw them. */
  today(organization: Organization, version: string): Promise<Rates>;
}

export interface Organization {
  readonly organizationId: string;
  readonly currencyId?: string | null;
}

const MAX_KEPT = 500;
const DIGITS = 30;

export const rateTables = ({ organizationId }: Pick<Organization, "organizationId">): readonly VersionedTable[] => [
  { organizationId, recordType: EXCHANGE_RATES },
  { organizationId: "0", recordType: CURRENCIES },
];

/** Days begin in UTC, for everybody at once. */
export const rateDay = (now = new Date()): string => now.toISOString().slice(0, 10);

export function createExchangeRates(db: Database): ExchangeRates {
  const kept = createVersionedCache<Rates>(MAX_KEPT, "exchange_rates");
  return {
    async today(organization, version) {
      const day = rateDay();
      const key = `${organization.organizationId} ${organization.currencyId ?? ""} ${day}`;
      const known = kept.find(key, version);
      if (known) return known;
      const made = await kept.make(key, async () => {
        // Read before the rows: these are then at least as new as it says.
        const seen = await readVersions(db, rateTables(organization));
        return { version: seen, value: await readRates(db, organization, day) };
      });
      return made.value;
    },
  };
}

async function readRates(db: Database, { organizationId, currencyId }: Organization, day: string): Promise<Rates> {
  const known = await db.rows(sql`select id::text as id, code, decimals::text as decimals from masters__currencies`);
  const currencies = new Map(
    known.map(({ id, code, decimals }) => [id ?? "", { id: id ?? "", code: code ?? "", digits: Number(decimals) }]),
  );
  const own = currencyId == null ? undefined : currencies.get(currencyId);
  if (!own) return { own, currencies, conversions: new Map() };
  const rows = await db.rows(sql`
    select distinct on (base_id, currency_id) base_id::text as base, currency_id::text as quote, date::text as date, rate::text as rate
    from masters__exchange_rates e
    where organization_id = ${organizationId}::bigint and deleted = 0 and date <= ${day}::date and rate > 0
    order by base_id, currency_id, e.date desc`);
  const pairs = rows.map((row) => ({
    base: row.base ?? "",
    quote: row.quote ?? "",
    date: row.date ?? "",
    rate: decimalOf(row.rate ?? "1"),
  }));
  return { own, currencies, conversions: conversionsTo(own.id, [...currencies.keys()], pairs) };
}

export interface Pair {
  readonly base: string;
  readonly quote: string;
  readonly date: string;
  /** Units of `quote` for one of `base`. */
  readonly rate: Decimal;
}

interface Leg {
  readonly over: Decimal;
  readonly under: Decimal;
  readonly date: string;
}

const one = decimalOf("1");

/** By a rate of the two currencies, in either direction; else by way of a third one, by its newest rates. */
export function conversionsTo(
  own: string,
  ids: readonly string[],
  pairs: readonly Pair[],
): ReadonlyMap<string, Conversion> {
  const byPair = new Map(pairs.map((pair) => [`${pair.base} ${pair.quote}`, pair]));
  const leg = (from: string, to: string): Leg | undefined => {
    const direct = byPair.get(`${from} ${to}`);
    const inverse = byPair.get(`${to} ${from}`);
    if (direct && !(inverse && inverse.date > direct.date)) return { over: direct.rate, under: one, date: direct.date };
    return inverse && { over: one, under: inverse.rate, date: inverse.date };
  };
  const middles = [...new Set(pairs.flatMap(({ base, quote }) => [base, quote]))].flatMap((id) => {
    const last = id === own ? undefined : leg(id, own);
    return last ? [{ id, last }] : [];
  });
  const found = new Map<string, Conversion>([[own, { factor: "1", date: undefined }]]);
  for (const id of ids) {
    if (id === own) continue;
    const made = leg(id, own) ?? newest(middles.flatMap(({ id: middle, last }) => joined(leg(id, middle), last)));
    if (made) found.set(id, { factor: decimalText(divide(made.over, made.under, DIGITS)), date: made.date });
  }
  return found;
}

const joined = (first: Leg | undefined, last: Leg): Leg[] =>
  first
    ? [
        {
          over: multiply(first.over, last.over),
          under: multiply(first.under, last.under),
          date: first.date < last.date ? first.date : last.date,
        },
      ]
    : [];

const newest = (legs: readonly Leg[]): Leg | undefined =>
  legs.reduce<Leg | undefined>((best, each) => (best && best.date >= each.date ? best : each), undefined);
