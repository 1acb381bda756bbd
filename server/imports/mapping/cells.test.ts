// Cells as people and programs write them, and what a save is given for each.
import { describe, expect, test } from "vitest";
import { buildSnapshot, requireType } from "../../metadata/snapshot.ts";
import { builtInTypes } from "../../modules/index.ts";
import { cellValue, isoDate, plainNumber } from "./cells.ts";

describe("a number", () => {
  test.each<[string, "." | ",", string]>([
    ["1,234.50", ".", "1234.50"],
    ["1.234,50", ",", "1234.50"],
    ["1.234.567", ",", "1234567"],
    ["1,234,567", ".", "1234567"],
    ["-12", ".", "-12"],
    ["+12,5", ",", "+12.5"],
    ["12,5", ".", "12,5"],
    ["1.23,4", ",", "1.23,4"],
    ["1 234,5", ",", "1234.5"],
    ["1\u202f234", ".", "1234"],
    ["$1,234.00", ".", "1234.00"],
    ["-€5", ".", "-5"],
    ["5 €", ",", "5"],
    ["'0012", ".", "0012"],
    ["12%", ".", "12%"],
    ["twelve", ".", "twelve"],
    ["1-2", ".", "1-2"],
  ])("%s with the decimal sign %s is %s", (text, sign, meant) => {
    expect(plainNumber(text, sign)).toBe(meant);
  });

  test("of more than a hundred characters stays as it is", () => {
    const long = `${"1,234".padStart(101, " ")}`;
    expect([plainNumber(long, "."), plainNumber(long.slice(1), ".")]).toEqual([long, "1234"]);
  });
});

describe("yes or no", () => {
  const type = requireType(buildSnapshot(builtInTypes, [], "test"), "crm/leads");
  const field = type.field.get("do_not_call") ?? expect.fail();
  const read = (cell: string) =>
    cellValue(field, cell, { dateOrder: "dmy", decimalSign: ",", dialect: { format: "csv" } as never });

  test.each([
    ["x", "1"],
    ["Ja", "1"],
    [" yes ", "1"],
    ["Nein", "0"],
    ["-", "0"],
  ])("%s is %s, as the preview of the import shows it", (cell, meant) => {
    expect(read(cell)).toBe(meant);
  });

  test("stays as it is where it is neither", () => {
    expect([read("maybe"), read("")]).toEqual(["maybe", ""]);
  });
});

describe("a day", () => {
  test.each<[string, "ymd" | "dmy" | "mdy", string]>([
    ["31.12.2026", "dmy", "2026-12-31"],
    ["12/31/2026", "mdy", "2026-12-31"],
    ["2026-12-31", "ymd", "2026-12-31"],
    ["2026/1/2", "mdy", "2026-01-02"],
    ["1.2.2026", "ymd", "2026-02-01"],
    ["26/12/31", "ymd", "2026-12-31"],
    ["99.1.2", "ymd", "1999-01-02"],
    ["1.2.26", "ymd", "1.2.26"],
    ["1/2/26", "dmy", "2026-02-01"],
    ["1/2/26", "mdy", "2026-01-02"],
    ["1.2.68", "dmy", "2068-02-01"],
    ["1.2.69", "dmy", "1969-02-01"],
    ["1.2.026", "dmy", "1.2.026"],
    ["1.2.6", "dmy", "1.2.6"],
    ["1.2/2026", "dmy", "1.2/2026"],
    ["31.12.2026 9:30", "dmy", "2026-12-31 09:30:00"],
    ["2026-12-31T19:30:15", "ymd", "2026-12-31 19:30:15"],
    ["tomorrow", "dmy", "tomorrow"],
  ])("%s where days are written %s is %s", (text, order, meant) => {
    expect(isoDate(text, order)).toBe(meant);
  });
});

describe("a cell", () => {
  const leads = requireType(buildSnapshot(builtInTypes, [], "test"), "crm/leads");
  const readCell = (name: string, cell: string, format: "csv" | "json" = "csv") => {
    const field = leads.field.get(name);
    if (!field) throw new Error(`leads have no field ${name}`);
    const dialect = { format, encoding: "utf-8", separator: ",", quote: '"', headerRow: 1, sheet: "" } as const;
    return cellValue(field, cell, { dateOrder: "dmy", decimalSign: ",", dialect });
  };

  test("is read by what its field is, and texts stay as they were written", () => {
    expect(readCell("score", " 1.200 ")).toBe("1200");
    expect(readCell("last_contacted", "3.4.2026 8:05")).toBe("2026-04-03 08:05:00");
    expect(readCell("last_name", " 1.200 ")).toBe(" 1.200 ");
  });

  test("of JSON is a number with a point, whatever the decimal sign of texts", () => {
    expect([readCell("score", "1.125", "json"), readCell("score", "-1.125", "json")]).toEqual(["1.125", "-1.125"]);
    expect([readCell("score", "1.125", "csv"), readCell("score", "1.234,5", "json")]).toEqual(["1125", "1234.5"]);
  });

  test("loses the sign that kept a spreadsheet from running it, unless it is of JSON", () => {
    expect([readCell("last_name", "'=1+1"), readCell("last_name", "'=1+1", "json")]).toEqual(["=1+1", "'=1+1"]);
    expect(readCell("last_name", "'t Hooft")).toBe("'t Hooft");
  });
});
