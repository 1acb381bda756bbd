// The rows of the shared master data, from the ISO and IANA lists that come with packages and the runtime.
// Rows are known by a natural key and carry no ids: a seeder upserts by that key, so ids survive a longer list.
import currencyCodes from "currency-codes";
import { iso31661, iso31662 } from "iso-3166";
import type { RecordTypeKey } from "../../metadata/record-type.ts";
import { currencyOfCountry } from "./country-currencies.ts";
import { localeCodes, rightToLeft } from "./locale-codes.ts";
import { renamedZones } from "./time-zone-names.ts";

export type MasterRow = Readonly<Record<string, string | null>>;

export interface MasterData {
  readonly type: RecordTypeKey;
  /** The field that tells rows apart; unique in the type. */
  readonly key: string;
  /** Sorted by key. A name in `from` is not a field of the type: it holds the natural key of the row referred to. */
  rows(): readonly MasterRow[];
  /** People rename, reorder and hide them: a row that somebody has changed stays as it is. */
  readonly changedByPeople?: boolean;
  /** Reference fields to fill: the row of `type` whose field `by` equals this row's `from`. */
  readonly references?: Readonly<
    Record<string, { readonly type: RecordTypeKey; readonly by: string; readonly from: string }>
  >;
}

/** The lists come with the process, so it works them out once, however many services it opens. */
function once(work: () => MasterRow[]): () => readonly MasterRow[] {
  let rows: readonly MasterRow[] | undefined;
  return () => {
    rows ??= work();
    return rows;
  };
}

/** In the order in which they can be seeded. */
export const masterData: readonly MasterData[] = [
  { type: "masters/currencies", key: "code", rows: once(currencyRows) },
  { type: "masters/countries", key: "iso2", rows: once(countryRows) },
  {
    type: "masters/states",
    key: "code",
    rows: once(stateRows),
    references: { country_id: { type: "masters/countries", by: "iso2", from: "country_iso2" } },
  },
  { type: "masters/time_zones", key: "name", rows: once(timeZoneRows) },
  { type: "masters/locales", key: "code", rows: once(localeRows) },
];

/** Codes of ISO 4217 that nobody is paid in: funds, metals, units of account, tests. */
const notMoney = new Set(
  "BOV CHE CHW CLF COU MXV USN UYI UYW XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX".split(" "),
);
/** Withdrawn since the package's list was published: Antilles guilder, Bulgarian lev, convertible Cuban peso. */
const withdrawn = new Set(["ANG", "BGN", "CUC"]);
/** Added since then. */
const added = [{ code: "XCG", number: "532", digits: 2, currency: "Caribbean Guilder" }];

function currencyRows(): MasterRow[] {
  const names = new Intl.DisplayNames(["en"], { type: "currency", fallback: "none" });
  const rows = [...currencyCodes.data, ...added]
    .filter(({ code }) => !notMoney.has(code) && !withdrawn.has(code))
    .map(({ code, number, digits, currency }) => ({
      code,
      name: names.of(code) ?? currency.trim(),
      symbol: currencySymbol(code),
      numeric_code: number,
      decimals: String(digits),
    }));
  return byKey([...new Map(rows.map((row) => [row.code, row])).values()], (row) => row.code);
}

function currencySymbol(code: string): string {
  const format = new Intl.NumberFormat("en", { style: "currency", currency: code, currencyDisplay: "narrowSymbol" });
  return format.formatToParts(0).find((part) => part.type === "currency")?.value ?? code;
}

function countryRows(): MasterRow[] {
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const rows = iso31661.map((country) => ({
    name: names.of(country.alpha2) ?? country.name,
    official_name: country.name,
    iso2: country.alpha2,
    iso3: country.alpha3,
    numeric_code: country.numeric,
    currency_code: currencyOfCountry.get(country.alpha2) ?? null,
    is_active: "1",
  }));
  return byKey(rows, (row) => row.iso2);
}

function stateRows(): MasterRow[] {
  const countries = new Set(iso31661.map((country) => country.alpha2));
  const rows = iso31662
    .filter((subdivision) => countries.has(subdivision.parent))
    .map(({ code, name, parent }) => ({ code, name, country_iso2: parent }));
  return byKey(rows, (row) => row.code);
}

function timeZoneRows(): MasterRow[] {
  const listed = Intl.supportedValuesOf("timeZone").map((name) => renamedZones[name] ?? name);
  const rows = [...new Set([...listed, "UTC"])].map((name) => {
    const format = new Intl.DateTimeFormat("en", { timeZone: name, timeZoneName: "longOffset" });
    // A year in which no zone changed its rules keeps the rows the same from start to start.
    const seasons = ["2025-01-15T12:00:00Z", "2025-07-15T12:00:00Z"].map((at) => offset(format, new Date(at)));
    const standard = Math.min(...seasons);
    const summer = Math.max(...seasons);
    return {
      name,
      standard_offset: offsetText(standard),
      summer_offset: summer === standard ? null : offsetText(summer),
    };
  });
  return byKey(rows, (row) => row.name);
}

/** Minutes from UTC. */
function offset(format: Intl.DateTimeFormat, at: Date): number {
  const text = format.formatToParts(at).find((part) => part.type === "timeZoneName")?.value;
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(text ?? "") ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

function offsetText(minutes: number): string {
  const digits = (value: number) => String(value).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
}

function localeRows(): MasterRow[] {
  const english = new Intl.DisplayNames(["en"], { type: "language" });
  const rows = localeCodes.map((code) => ({
    code,
    name: english.of(code) ?? code,
    native_name: new Intl.DisplayNames([code], { type: "language" }).of(code) ?? null,
    direction: rightToLeft.has(code.split("-")[0] ?? code) ? "rtl" : "ltr",
  }));
  return byKey(rows, (row) => row.code);
}

/** By code units, which no runtime orders differently. */
function byKey<Row>(rows: Row[], key: (row: Row) => string): Row[] {
  return rows.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
