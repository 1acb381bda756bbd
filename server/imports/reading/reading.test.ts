// Files of records as people have them, and as nobody should: what they are found to be, what is read, and what is said.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { writeAll } from "../../../contract/texts/write.ts";
import { processorTime } from "../../../test/processor-time.ts";
import { writeXlsx } from "../../lib/writing/xlsx-writer.ts";
import { writeZip } from "../../lib/writing/zip-writer.ts";
import { cutter } from "./csv.ts";
import { openRows } from "./open-rows.ts";
import { recognize } from "./recognize.ts";
import { SharedStrings } from "./shared-strings.ts";
import { type Dialect, limits, type SourceRow, UnreadableFile } from "./unreadable.ts";
import { dayOf } from "./xlsx.ts";

const folder = mkdtempSync(path.join(tmpdir(), "dossier-reading-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function fileOf(content: string | Uint8Array): string {
  files += 1;
  const name = path.join(folder, String(files));
  writeFileSync(name, content);
  return name;
}

async function read(content: string | Uint8Array, change: Partial<Dialect> = {}, name = "file") {
  const file = fileOf(content);
  const dialect = { ...(await recognize(file, name)), ...change };
  const rows = openRows(file, dialect, folder);
  const all: SourceRow[] = [];
  for await (const batch of rows.batches) all.push(...batch);
  return { dialect, columns: rows.columns(), rows: all.map(({ line, cells }) => [line, ...cells]) };
}

const refusal = async (content: string | Uint8Array, change: Partial<Dialect> = {}): Promise<string> => {
  try {
    await read(content, change);
  } catch (error) {
    if (error instanceof UnreadableFile) return writeAll([error.reason], "en").join();
    throw error;
  }
  return "nothing";
};

describe("separated values", () => {
  test.each([
    ["a,b\n1,2\n", ","],
    ["a;b\r\n1;2", ";"],
    ["a\tb\r1\t2\r", "\t"],
    ["a|b\n\n1|2", "|"],
    ["\ufeffa,b\n1,2", ","],
  ])("%j is recognized", async (text, separator) => {
    const found = await read(text);
    expect([found.dialect.format, found.dialect.separator, found.columns]).toEqual(["csv", separator, ["a", "b"]]);
    expect(found.rows.map(([, ...cells]) => cells)).toEqual([["1", "2"]]);
  });

  test("quotes hold separators, line ends and quotes; line ends may be mixed", async () => {
    const { rows } = await read('a,b\r\n"x, ""y""\nz",1\n2,3\r4,5');
    expect(rows).toEqual([
      [2, 'x, "y"\nz', "1"],
      [4, "2", "3"],
      [5, "4", "5"],
    ]);
  });

  test.each([
    ["windows-1252", Buffer.from("n\nM\xfcller \x80", "latin1"), "Müller €"],
    ["utf-8", Buffer.from("n\nMüller €"), "Müller €"],
    ["utf-16le", Buffer.from("\ufeffn\nMüller €", "utf16le"), "Müller €"],
    ["utf-16be", Buffer.from("\ufeffn\nMüller €", "utf16le").swap16(), "Müller €"],
    ["utf-16le", Buffer.from("name\nMuller\nMayer\n", "utf16le"), "Muller"],
  ] as const)("in %s", async (encoding, bytes, text) => {
    const found = await read(bytes);
    expect([found.dialect.encoding, found.rows[0]?.[1]]).toEqual([encoding, text]);
  });

  test("columns that are called the same, or nothing, are told apart", async () => {
    expect((await read("Name,,Name,Name\n1,2,3,4")).columns).toEqual(["Name", "Column 2", "Name (2)", "Name (3)"]);
  });

  test("rows may be shorter or longer than the header", async () => {
    expect((await read("a,b\n1\n1,2,3")).columns).toEqual(["a", "b", "Column 3"]);
  });

  test.each<[string, string | Uint8Array, string]>([
    [
      "a quote that is not closed",
      `a,b\n${"1,2\n".repeat(699_998)}"3,4\n5,6\n`,
      "Line 700000: a quote is opened here and never closed",
    ],
    [
      "a quote within",
      'a,b\n1,"x"y\n',
      "Line 2, column 2: there is a quote in the middle of a value. Double it, or choose other quotes",
    ],
    [
      "a million columns",
      `a\n1${",".repeat(1_000_000)}`,
      `Line 2: there are more than ${limits.columns.toLocaleString("en")} columns`,
    ],
    ["a huge cell", `a\nb,${"x".repeat(2_000_000)}`, "Line 2, column 2: the cell has more than 1,048,576 characters"],
    [
      "a row without end",
      `a\n${"x".repeat(10_000_000)}`,
      "Line 2: the row has more than 4,194,304 characters. Is a quote not closed?",
    ],
    ["a NUL", "a\nb\0", "Line 2: there is a NUL character. Is this a text file?"],
    ["nothing", "", "The file is empty"],
    [
      "a picture",
      Buffer.from("\x89PNG\r\n\x1a\n....", "latin1"),
      "picture files can't be imported. Save the file as CSV, XLSX or JSON",
    ],
    [
      "an old workbook",
      Buffer.from("\xd0\xcf\x11\xe0....", "latin1"),
      "XLS files can't be imported. Save the file as CSV, XLSX or JSON",
    ],
    ["a workbook that is none", Buffer.from("PK\x03\x04 and so on"), "The file is not an XLSX workbook"],
  ])("%s is told with its place", async (_, content, said) => expect(await refusal(content)).toBe(said));

  test("rows are those that the library gives of the whole, wherever the pieces end", () => {
    const library = (text: string) =>
      parse(text, { record_delimiter: ["\r\n", "\n", "\r"], relax_column_count: true }) as string[][];
    const outcome = (run: () => string[][]) => {
      try {
        return run();
      } catch (error) {
        return error instanceof CsvError ? "refused" : error;
      }
    };
    const inPieces = (pieces: readonly string[]) => {
      const cut = cutter({ separator: ",", quote: '"' }, () => 1);
      return [...pieces.flatMap((piece) => [...cut.take(piece)]), ...cut.end()];
    };
    const piece = fc.string({
      unit: fc.constantFrom("a", "ü", ",", ",", '"', '""', "\r", "\n", "\n", "\r\n"),
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        expect(outcome(() => inPieces(pieces))).toEqual(outcome(() => library(pieces.join(""))));
      }),
      {
        numRuns: 3_000,
        examples: [[["\r", "\n"]], [[`"a"\n${"b\n".repeat(20)}"c"\nd\n"e"`]], [['"a\r', '\n"']], [["a\r", "b"]]],
      },
    );
  });

  test("a text that is cut anywhere gives the rows and the refusal of the whole", () => {
    const outcome = (pieces: readonly string[]) => {
      const cut = cutter({ separator: ";", quote: "'" }, () => 1);
      const rows: string[][] = [];
      try {
        for (const piece of pieces) for (const row of cut.take(piece)) rows.push(row);
        for (const row of cut.end()) rows.push(row);
      } catch (error) {
        if (!(error instanceof CsvError)) throw error;
        const { code, lines, column } = error as CsvError & Readonly<Record<"lines" | "column", unknown>>;
        return [rows, code, lines, column];
      }
      return [rows];
    };
    const unit = fc.constantFrom("a", "ü", ";", ";'", "';", "'", "''", "'\n", "\n'", "\r", "\n", "\r\n");
    const cuts = fc.uniqueArray(fc.nat(60), { maxLength: 20 });
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), cuts, (text, at) => {
        const ends = [...at.toSorted((a, b) => a - b), text.length];
        const pieces = ends.map((end, index) => text.slice(index === 0 ? 0 : ends[index - 1], end));
        expect(outcome(pieces)).toEqual(outcome([text]));
      }),
      { numRuns: 3_000 },
    );
  });

  test.each([
    ["never closed", ""],
    ["closed at its end", '"\n'],
  ])("a quote around many lines, %s, takes time in proportion to them", async (_, end) => {
    const spent = async (size: number): Promise<number> => {
      const pieces = [`"`, ...Array.from({ length: size / 65_536 - 1 }, () => "\n".repeat(65_536)), end];
      const times: number[] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        const cut = cutter({ separator: ",", quote: '"' }, () => 1);
        const run = () => [...pieces.flatMap((piece) => [...cut.take(piece)]), ...cut.end()];
        times.push(
          await processorTime(() => (end === "" ? expect(run).toThrow(CsvError) : expect(run()).toHaveLength(1))),
        );
      }
      return Math.min(...times);
    };
    const short = await spent(1024 * 1024);
    expect(await spent(4 * 1024 * 1024)).toBeLessThan(6 * short);
  });

  test("columns are found in the first thousand rows, however long these are; then little is held", async () => {
    const long = "x".repeat(2_000);
    const rowsOf = (count: number) => `${long},2,3\n`.repeat(count);
    const late = `a,b,c\n${rowsOf(900)}1,2,3,4\n${rowsOf(1_000)}`;
    expect((await read(late)).columns).toEqual(["a", "b", "c", "Column 4"]);
    const down = await read(`${rowsOf(899)}a,b,c\n1,2,3\n`, { headerRow: 900 });
    expect([down.columns, down.rows]).toEqual([["a", "b", "c"], [[901, "1", "2", "3"]]]);
    const file = fileOf(late);
    const rows = openRows(file, await recognize(file, "file"), folder);
    for await (const batch of rows.batches) {
      expect(rows.columns()).toHaveLength(4);
      expect(batch.length * long.length).toBeLessThan(limits.heldCharacters + 2 * long.length);
    }
  });

  test("text that is not in the chosen encoding is told with its line", async () => {
    const said = await refusal(Buffer.from(`n\n${"x\n".repeat(100)}M\xfcller`, "latin1"), { encoding: "utf-8" });
    expect(said).toMatch(/^Line \d+: the text is not valid utf-8/u);
  });
});

describe("JSON", () => {
  test.each([
    ['[{"a": 1.10, "b": {"c": "x"}}, {"d": [{"e": true}, {"e": null}]}]', "json"],
    ['{"errors": [], "data": [{"a": 1.10, "b": {"c": "x"}},\n{"d": [{"e": true}, {"e": null}]}]}', "json"],
    ['{"a": 1.10, "b": {"c": "x"}}\n{"d": [{"e": true}, {"e": null}]}\n', "jsonl"],
  ])("%j", async (text, format) => {
    const { dialect, columns, rows } = await read(text);
    expect([dialect.format, columns]).toEqual([format, ["a", "b.c", "d.1.e", "d.2.e"]]);
    expect(rows.map(([, ...cells]) => cells)).toEqual([
      ["1.10", "x"],
      [null, null, "1", null],
    ]);
  });

  test("elements are found wherever the pieces of the file end", async () => {
    const text = JSON.stringify(
      Array.from({ length: 20_000 }, (_, index) => ({ n: index, t: 'a "]}" \\ {[' })),
      null,
      1,
    );
    const { rows } = await read(text);
    expect([rows.length, rows.at(-1)?.slice(1)]).toEqual([20_000, ["19999", 'a "]}" \\ {[']]);
  });

  test.each([
    ['[{"a": 1}, {"b": ', "Line 1: the JSON is incomplete"],
    ['[{"a": 1}, {"b": 01}]', "Line 1: the JSON is not valid"],
    ["[1, 2]", "Line 1: each entry must be an object"],
    ['{"a": 1,\n"b": 2}', "The file has no list of objects"],
    ['{"a": 1}\n{"a": \n', "Line 2: the JSON is not valid"],
  ])("%j is told", async (text, said) => expect(await refusal(text)).toBe(said));
});

describe("workbooks", () => {
  async function workbook(
    rows: (string | null)[][],
    kinds: readonly ("text" | "number" | "date" | "instant")[],
  ): Promise<Buffer> {
    const columns = kinds.map((kind, index) => ({ title: `c${index}`, kind }));
    const batches = async function* () {
      yield rows;
    };
    const parts: Buffer[] = [];
    for await (const part of writeXlsx("Sheet", columns, batches())) parts.push(Buffer.from(part));
    return Buffer.concat(parts);
  }

  test("what the export writes is read again", async () => {
    const rows = [
      ["=1+1", "12.5", "2026-02-28", "2026-02-28 13:14:15"],
      [null, "-3", "1900-03-01", null],
      ["<x> & \ud83d\ude00", null, "9999-12-31", null],
    ];
    const read1 = await read(await workbook(rows, ["text", "number", "date", "instant"]));
    expect(read1.columns).toEqual(["c0", "c1", "c2", "c3"]);
    expect(read1.rows).toEqual([
      [2, "'=1+1", "12.5", "2026-02-28", "2026-02-28 13:14:15"],
      [3, null, "-3", "1900-03-01"],
      [4, "<x> & \ud83d\ude00", null, "9999-12-31"],
    ]);
  });

  test("days are counted as spreadsheets count them", () => {
    expect([1, 59, 60, 61, 46081, 46081.5, 0.5, 2958465, 2958466, -1].map((serial) => dayOf(serial, false))).toEqual([
      "1900-01-01",
      "1900-02-28",
      undefined,
      "1900-03-01",
      "2026-02-28",
      "2026-02-28 12:00:00",
      "12:00:00",
      "9999-12-31",
      undefined,
      undefined,
    ]);
    expect(dayOf(44619, true)).toBe("2026-02-28");
  });

  test("another sheet is asked for by its name", async () => {
    expect(await refusal(await workbook([["a"]], ["text"]), { sheet: "Missing" })).toBe(
      "The workbook has no sheet Missing",
    );
  });

  /** As somebody makes it by hand who wants to see what happens. */
  async function crafted(parts: Readonly<Record<string, Iterable<string>>>): Promise<Buffer> {
    const usual = {
      "xl/_rels/workbook.xml.rels": ['<Relationships><Relationship Id="r1" Target="sheet.xml"/></Relationships>'],
      "xl/workbook.xml": ['<workbook xmlns:r="r"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>'],
      "xl/sheet.xml": ['<worksheet><row><c t="s"><v>0</v></c></row></worksheet>'],
    };
    const all = Object.entries({ ...usual, ...parts }).map(([name, content]) => ({ name, content }));
    const bytes: Buffer[] = [];
    for await (const part of writeZip(all)) bytes.push(part);
    return Buffer.concat(bytes);
  }
  function* many(before: string, piece: string, count: number, after: string) {
    yield before;
    for (let at = 0; at < count; at += 1) yield piece;
    yield after;
  }
  const mebibyte = "x".repeat(1024 * 1024);

  test.each([
    ["a text without an end", "xl/sharedStrings.xml", many("<sst><si><t>", mebibyte, 20, "</t></si></sst>")],
    ["a cell without an end", "xl/sheet.xml", many("<w><row><c><v>", mebibyte, 20, "</v></c></row></w>")],
    ["a comment without an end", "xl/sheet.xml", many("<w><!--", mebibyte, 20, "--></w>")],
    ["an attribute without an end", "xl/styles.xml", many('<s a="', mebibyte, 20, '"></s>')],
    ["a bomb of 40 MiB in 40 KiB", "xl/sheet.xml", many("<w>", "<row/>".repeat(175_000), 40, "</w>")],
    ["tags within tags", "xl/sheet.xml", many("<w>", "<a>", 200, "</a></w>")],
    ["tags within tags of the styles", "xl/styles.xml", many("<w>", "<a>", 200, "</a></w>")],
    ["more sheets than anybody has", "xl/workbook.xml", many("<w>", '<sheet name="S" r:id="r1"/>', 1_001, "</w>")],
  ])("%s is refused before it is held", async (_, part, content) => {
    const said = await refusal(await crafted({ [part]: content }), {});
    expect(said).toBe("The workbook is too large once unpacked");
  });

  test("of formulas the saved values are read; one without is told with its place; rows have a number each", async () => {
    const sheet = (...rows: string[]) =>
      crafted({ "xl/sheet.xml": [`<w><row r="1"><c><v>7</v></c></row>`, ...rows, "</w>"] });
    const saved = await sheet(
      '<row r="1"><c><f>A1+1</f><v>8</v></c></row>',
      '<row r="x"><c t="str"><f>B1</f><v>b</v></c></row>',
    );
    expect((await read(saved, { headerRow: 0 })).rows).toEqual([
      [1, "7"],
      [2, "8"],
      [3, "b"],
    ]);
    expect(await refusal(await sheet('<row r="5"><c r="C5"><f>A1+1</f></c></row>'), { headerRow: 0 })).toBe(
      "Line 5, column 3: the formula has no saved value. Open the workbook in a spreadsheet program and save it there",
    );
  });

  test("what is crafted with care is read", async () => {
    const file = await crafted({ "xl/sharedStrings.xml": ["<sst><si><t>one</t></si></sst>"] });
    expect((await read(file, { headerRow: 0 })).rows).toEqual([[1, "one"]]);
  });

  test("shared texts that do not fit into memory are read back, whichever is asked for", () => {
    const texts = new SharedStrings(folder);
    const textOf = (index: number) => `${index} ${"é".repeat(index % 7 === 0 ? 100_000 : index % 3_000)}`;
    const count = 600;
    try {
      for (let index = 0; index < count; index += 1) texts.add(textOf(index));
      const asked = Array.from({ length: count }, (_, at) => (at * 271) % count);
      expect(asked.filter((index) => texts.get(index) !== textOf(index))).toEqual([]);
      expect(texts.get(count)).toBeUndefined();
    } finally {
      texts.close();
    }
  });

  test("shared texts are bounded in all, empty ones too", () => {
    const texts = new SharedStrings(folder, 10_000);
    const fill = () => {
      for (let at = 0; at < 1_000; at += 1) texts.add("");
    };
    expect(fill).toThrow(UnreadableFile);
    texts.close();
  });
});
