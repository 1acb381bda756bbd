// CSV cells: what may be copied byte by byte is exactly what the careful way would have left alone.
import fc from "fast-check";
import { expect, test } from "vitest";
import { csvCell, escapeFormula, isPlainCsv } from "./spreadsheet-text.ts";

const awkward = fc.string({ unit: fc.constantFrom(..."a0Zé😀=+-@,\"'\t\r\n \u00a0;.|".split("")), maxLength: 6 });

test("text that is called plain stands as it is; formulas and separators never are", () => {
  let plain = 0;
  fc.assert(
    fc.property(fc.oneof(awkward, fc.string({ unit: "grapheme" })), (text) => {
      const bytes = Buffer.from(text);
      if (bytes.length === 0 || !isPlainCsv(bytes, 0, bytes.length)) return;
      plain += 1;
      expect(csvCell(bytes.toString())).toBe(bytes.toString());
    }),
    { numRuns: 5000 },
  );
  expect(plain).toBeGreaterThan(100);
  for (const text of ["Ada Lovelace", "2024-03-01 10:00:00", "1234.50"]) {
    expect(isPlainCsv(Buffer.from(text), 0, text.length)).toBe(true);
  }
});

test.each([
  "=1+1",
  "+1+1",
  "-1+1",
  "@SUM(A1)",
  "＝1+1",
  "＋1+1",
  "－1+1",
  "＠SUM(A1)",
  "﹦1",
  "﹣1+a",
  "−1+a",
  "|cmd",
  "\t=1",
  "\r=1",
  "\n=1",
  " =1+1",
  "\u00a0=1",
  "\u200b=1",
  "\ufeff＝1",
  "\u3000＝1",
  "\u202e=1",
])("%j is marked as text", (text) => {
  expect(escapeFormula(text)).toBe(`'${text}`);
  expect(isPlainCsv(Buffer.from(text), 0, Buffer.byteLength(text))).toBe(false);
});

test.each(["-12.50", "+49 30 1234", "a=1", "1=1", "é", "漢字", " plain"])("%j stays as it is", (text) => {
  expect(escapeFormula(text)).toBe(text);
});
