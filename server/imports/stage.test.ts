// Files whose rows are staged for an import: which rows are one record, how many of them can be, and what they come to in all.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { writeAll } from "../../contract/texts/write.ts";
import { fileOf, inFolder } from "../../test/read-import.ts";
import { writeZip } from "../lib/writing/zip-writer.ts";
import { stagedFor, UnreadableFile } from "./reading/unreadable.ts";
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

const staged = (rows: string) => stagedAs(spec, `key,line\n${rows}`);

const stagedAs = async (given: ImportSpec, content: string | Uint8Array): Promise<number | string> => {
  try {
    return (await stageFile(fileOf(content), given, path.join(folder()))).total;
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

const plain = (format: "csv" | "xlsx" | "json" | "jsonl"): ImportSpec => ({
  ...spec,
  grouped: false,
  key: [],
  dialect: { ...spec.dialect, format },
});

const tooLarge =
  /^This file expands to more than 6\d MiB, too much for its size. Split it into several files, or save it as CSV$/u;

test("a small file whose rows have many empty cells is refused where they come to far more than it is", async () => {
  const columns = Array.from({ length: 1_000 }, (_, at) => `"c${at}":1`).join();
  const file = `{${columns}}\n${'{"c999":1}\n'.repeat(15_000)}`;
  expect(await stagedAs(plain("jsonl"), file)).toMatch(tooLarge);
});

test("a small workbook whose cells share a long text is refused where they come to far more than it is", async () => {
  const row = `<row><c t="s"><v>0</v></c></row>${"<x></x>".repeat(10_000)}`;
  const parts = {
    "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="r1" Target="a.xml"/></Relationships>',
    "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
    "xl/sharedStrings.xml": `<sst><si><t>${"x".repeat(1_000_000)}</t></si></sst>`,
    "xl/a.xml": `<worksheet>${row.repeat(80)}</worksheet>`,
  };
  const bytes: Buffer[] = [];
  for await (const part of writeZip(Object.entries(parts).map(([name, text]) => ({ name, content: [text] }))))
    bytes.push(part);
  expect(await stagedAs(plain("xlsx"), new Uint8Array(Buffer.concat(bytes)))).toMatch(tooLarge);
});

test("what a file may come to grows with it, up to three times what an upload can be", () => {
  const mebibyte = 1024 * 1024;
  expect([0, mebibyte, 100 * mebibyte, 1024 * mebibyte].map((size) => stagedFor(size) / mebibyte)).toEqual([
    64, 80, 1_664, 3_072,
  ]);
});

test("empty cells at the end of a row are left out, and those between others stay", async () => {
  const { path: file, columns } = await stageFile(fileOf("a,b,c\n1,,\n,2,\n,,3\n"), plain("csv"), folder());
  expect(columns).toEqual(["a", "b", "c"]);
  expect(readFileSync(file, "utf8")).toBe('[[2,"1"]]\n[[3,"","2"]]\n[[4,"","","3"]]\n');
});

test("a chunk ends after a thousand records, or earlier where they are long; the next begins where it ends", async () => {
  const placesOf = async (rows: string) => (await stageFile(fileOf(`a\n${rows}`), plain("csv"), folder())).places;
  expect((await placesOf("x\n".repeat(2_001))).map(({ count }) => count)).toEqual([1_000, 1_000, 1]);
  const long = await placesOf(`${"x".repeat(5_000)}\n`.repeat(1_000));
  expect([long.length, long.reduce((sum, { count }) => sum + count, 0)]).toEqual([3, 1_000]);
  expect(long.map(({ from }) => from)).toEqual([0, ...long.slice(0, -1).map(({ to }) => to)]);
});
