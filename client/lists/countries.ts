// What maps ask for beside their rows: the countries of the world.

import type { Call } from "../transport/transport.ts";
import { readList } from "./lists.ts";

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
