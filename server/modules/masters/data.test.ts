import { describe, expect, it } from "vitest";
import { countries, states } from "./countries.ts";
import { currencies } from "./currencies.ts";
import { masterData } from "./data.ts";
import { locales } from "./locales.ts";
import { timeZones } from "./time-zones.ts";

const types = new Map(
  [currencies, countries, states, timeZones, locales].map((type) => [`${type.module}/${type.controller}`, type]),
);
const rowsOf = new Map(masterData.map((data) => [data.type, data.rows()]));
const find = (type: string, key: string, value: string) => rowsOf.get(type)?.find((row) => row[key] === value);

describe("master data", () => {
  it.each(masterData)("gives $type rows with distinct keys in a stable order", ({ type, key, rows }) => {
    const keys = (rowsOf.get(type) ?? []).map((row) => row[key]);
    expect(keys.length).toBeGreaterThan(90);
    expect(keys.every((value) => typeof value === "string" && value !== "")).toBe(true);
    expect(new Set(keys).size).toBe(keys.length);
    expect(rows()).toEqual(rowsOf.get(type));
  });

  it.each(masterData)("gives $type rows whose columns are fields of the type", ({ type, references = {} }) => {
    const definition = types.get(type);
    const known = new Set([
      ...(definition?.fields.map((field) => field.name) ?? []),
      ...Object.values(references).map((reference) => reference.from),
    ]);
    const required = definition?.fields.filter((field) => field.required && !references[field.name]) ?? [];
    for (const row of rowsOf.get(type) ?? []) {
      expect(Object.keys(row).filter((name) => !known.has(name))).toEqual([]);
      for (const field of required) expect(row[field.name], `${type} ${field.name}`).toBeTruthy();
    }
  });

  it("refers only to rows that are seeded before", () => {
    const seeded = new Set<string>();
    for (const { type, references = {} } of masterData) {
      for (const { type: to, by, from } of Object.values(references)) {
        expect(seeded).toContain(to);
        const keys = new Set(rowsOf.get(to)?.map((row) => row[by]));
        for (const row of rowsOf.get(type) ?? []) expect(keys).toContain(row[from]);
      }
      seeded.add(type);
    }
  });

  it("gives every country but Antarctica a currency that is seeded", () => {
    const codes = new Set(rowsOf.get("masters/currencies")?.map((row) => row.code));
    const without = rowsOf.get("masters/countries")?.filter((row) => !codes.has(row.currency_code ?? ""));
    expect(without?.map((row) => row.iso2)).toEqual(["AQ"]);
  });

  it("knows well-known rows", () => {
    expect(find("masters/countries", "iso2", "CI")).toMatchObject({ name: "Côte d’Ivoire", currency_code: "XOF" });
    expect(find("masters/states", "code", "DE-BY")).toMatchObject({ name: "Bayern", country_iso2: "DE" });
    expect(find("masters/currencies", "code", "JPY")).toMatchObject({ symbol: "¥", decimals: "0" });
    expect(find("masters/time_zones", "name", "Asia/Kolkata")).toMatchObject({ standard_offset: "+05:30" });
    expect(find("masters/time_zones", "name", "America/New_York")).toMatchObject({
      standard_offset: "-05:00",
      summer_offset: "-04:00",
    });
    expect(find("masters/time_zones", "name", "UTC")).toMatchObject({ standard_offset: "+00:00", summer_offset: null });
    expect(find("masters/locales", "code", "pt-BR")).toMatchObject({ name: "Brazilian Portuguese", direction: "ltr" });
  });
});
