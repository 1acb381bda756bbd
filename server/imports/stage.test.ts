// Files whose rows are staged for an import: which rows are one record, and how many of them can be.
import path from "node:path";
import { expect, test } from "vitest";
import { writeAll } from "../../contract/texts/write.ts";
import { fileOf, inFolder } from "../../test/read-import.ts";
import { UnreadableFile } from "./reading/unreadable.ts";
import type { ImportSpec } from "./spec.ts";
import { stageFile } from "./stage.ts";

const folder = inFolder();

const spec: ImportSpec = {
  fileName: "a.csv",
  source: "",
  staged: "",
  dialect: { format: "csv", encoding: "utf-8", separator: ",", quote: '"', headerRow: 1, sheet: "" },
  dateOrder: "ymd",
  decimalSign: ".",
  mapping: [
    { column: "key", target: "code" },
    { column: "line", target: "lines.text" },
  ],
  mode: "add",
  key: ["code"],
  empty: "leave",
  defaults: {},
  grouped: true,
  corrections: {},
  dryRun: false,
};

const staged = async (rows: string): Promise<number | string> => {
  try {
    return (await stageFile(fileOf(`key,line\n${rows}`), spec, path.join(folder()))).total;
  } catch (error) {
    if (error instanceof UnreadableFile) return writeAll([error.reason], "en").join();
    throw error;
  }
};

test("rows with the same key, or none, are one record", async () => {
  expect(await staged("a,1\na,2\n,3\nb,1\na,4\n")).toBe(3);
  expect(await staged(`${"a,1\n".repeat(1_000)}b,1\n`)).toBe(2);
});

test.each([
  ["more rows than a record can have", "a,1\n".repeat(1_001), 1002],
  ["rows without a key, one after the other", `a,1\n${",1\n".repeat(2_000)}`, 1002],
  ["rows that are too long in all", `a,${"x".repeat(1_000_000)}\n`.repeat(10), 6],
])("%s are refused, never divided into two records or held", async (_, rows, line) => {
  expect(await staged(rows)).toBe(
    `Line ${line}: too many rows have the same key. One record can have up to 1,000 rows and 4,194,304 characters`,
  );
});
