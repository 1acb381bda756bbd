// The workbook that is written, opened by a program that knows nothing of us.
import { Buffer } from "node:buffer";
import readXlsxFile from "read-excel-file/node";
import { expect, test } from "vitest";
import { escapeFormula } from "./spreadsheet-text.ts";
import { type SheetColumn, writeXlsx } from "./xlsx-writer.ts";

const columns: readonly SheetColumn[] = [
  { title: "Name & <co>", kind: "text" },
  { title: "Amount", kind: "number" },
  { title: "Day", kind: "date" },
  { title: "Moment", kind: "instant" },
];

async function workbook(rows: readonly (readonly (string | null)[])[], size = 2) {
  const batches = async function* () {
    for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
  };
  const parts: Buffer[] = [];
  for await (const part of writeXlsx("Leads: all/of them", columns, batches())) parts.push(part);
  return readXlsxFile(Buffer.concat(parts), { trim: false });
}

test("holds texts, numbers and dates as what they are", async () => {
  const [sheet] = await workbook([
    ['Ada <b> & "Co" 😀', "1200.50", "2026-03-07", "2026-03-07 12:30:00"],
    [null, "-3", null, null],
    ["  spaces kept  ", "0", "2000-02-29", "1999-12-31 18:00:00"],
  ]);
  expect(sheet?.sheet).toBe("Leads  all of them");
  expect(sheet?.data).toEqual([
    ["Name & <co>", "Amount", "Day", "Moment"],
    ['Ada <b> & "Co" 😀', 1200.5, new Date("2026-03-07T00:00:00Z"), new Date("2026-03-07T12:30:00Z")],
    [null, -3, null, null],
    ["  spaces kept  ", 0, new Date("2000-02-29T00:00:00Z"), new Date("1999-12-31T18:00:00Z")],
  ]);
});

test("keeps what a number or a date cannot hold as text", async () => {
  const [sheet] = await workbook([["a", "12345678901234567.89", "1850-01-01", "0044-03-15 00:00:00"]]);
  expect(sheet?.data[1]).toEqual(["a", "12345678901234567.89", "1850-01-01", "0044-03-15 00:00:00"]);
});

test("says nothing that XML cannot say", async () => {
  const [sheet] = await workbook([["a\u0000\u0001\ud800b\uffffc", null, null, null]]);
  expect(sheet?.data[1]?.[0]).toBe("abc");
});

test("is a workbook without rows as well", async () => {
  const [sheet] = await workbook([]);
  expect(sheet?.data).toEqual([["Name & <co>", "Amount", "Day", "Moment"]]);
});

test("holds many rows in their order", async () => {
  const [sheet] = await workbook(
    Array.from({ length: 5_000 }, (_, index) => [`r${index}`, String(index), null, null]),
    500,
  );
  expect(sheet?.data).toHaveLength(5_001);
  expect(sheet?.data[5_000]?.slice(0, 2)).toEqual(["r4999", 4999]);
});

test("a fault of the source is a fault of the file, and leaving early ends the source", async () => {
  let ended = 0;
  const source = async function* (fault: boolean) {
    try {
      for (let row = 0; row < 100; row += 1) {
        yield Array.from({ length: 1000 }, () => [`${Math.random()}`, "1", null, null]);
        if (fault && row === 3) throw new Error("the database went away");
      }
    } finally {
      ended += 1;
    }
  };
  const drain = async () => {
    for await (const part of writeXlsx("x", columns, source(true))) expect(part.length).toBeGreaterThan(0);
  };
  await expect(drain()).rejects.toThrow("the database went away");
  expect(ended).toBe(1);
  for await (const part of writeXlsx("x", columns, source(false))) if (part.length > 1000) break;
  await expect.poll(() => ended).toBe(2);
});

test.each([
  ["=1+1", "'=1+1"],
  ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
  ["-2+3", "'-2+3"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", "'\r=1"],
  ["-12.50", "-12.50"],
  ["+46701234567", "+46701234567"],
  ["+48 22 055 80 79", "+48 22 055 80 79"],
  ["+48 22-1", "'+48 22-1"],
  ["plain = text", "plain = text"],
  ["", ""],
])("%j is harmless as %j", (text, written) => {
  expect(escapeFormula(text)).toBe(written);
});
