// What pictures of lists ask for beside their rows: the one currency of amounts, and the countries of the world.
import type { RecordTypeKey } from "./address.ts";
import { type ListChoice, readList } from "./lists.ts";
import type { Call } from "./transport.ts";

/** The code of the currency that all records of a list share; null where they do not. */
export async function readCurrencies(
  call: Call,
  key: RecordTypeKey,
  choice: ListChoice,
  column: string,
  signal?: AbortSignal,
): Promise<readonly (string | null)[]> {
  const q = { fields: [column, "count(id) as records"], group: [column] };
  const { rows, header } = await readList(call, key, choice, { limit: 3, q }, signal);
  return rows.map((row) => {
    const code = row[header[0]?.alias ?? column];
    return typeof code === "string" && code !== "" ? code : null;
  });
}

export interface Country {
  readonly id: string;
  readonly name: string;
  readonly iso2: string;
  readonly iso3: string;
  /** Three digits, as maps name countries. */
  readonly numeric: string;
}

export async function readCountries(call: Call, signal?: AbortSignal): Promise<readonly Country[]> {
  const columns = ["id", "name", "iso2", "iso3", "numeric_code"];
  const q = { fields: columns.map((name) => `countries.${name}`), limit: 1000 };
  const { rows } = await readList(call, "masters/countries", {}, { q }, signal);
  return rows.map((row) => {
    const text = (name: string): string => String(row[`countries.${name}`] ?? "");
    return {
      id: text("id"),
      name: text("name"),
      iso2: text("iso2"),
      iso3: text("iso3"),
      numeric: text("numeric_code").padStart(3, "0"),
    };
  });
}
