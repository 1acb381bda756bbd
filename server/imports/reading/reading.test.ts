// Text files of records as people have them, and as nobody should: what they are found to be, what is read, and what is said.
import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTime } from "../../../test/processor-time.ts";
import { fileOf, inFolder, read, refusal } from "../../../test/read-import.ts";
import { runs } from "../../../test/runs.ts";
import { cutter } from "./csv.ts";
import { openRows } from "./open-rows.ts";
import { recognize } from "./recognize.ts";
import { type Dialect, limits, UnreadableFile } from "./unreadable.ts";

const folder = inFolder();

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

  test.each([
    ["sep=;\r\na;b\r\n1;2,5", ";", "2,5"],
    ['"sep=,"\na,b\n1,2', ",", "2"],
    ["\ufeffSEP=^\na^b\n1^2", "^", "2"],
  ])("%j names its separator, which is no row of it", async (text, separator, cell) => {
    const { dialect, columns, rows } = await read(text);
    expect([dialect.separator, columns, rows]).toEqual([separator, ["a", "b"], [[3, "1", cell]]]);
    // Also where another one is chosen.
    expect((await read(text, { separator: "|" })).rows).toHaveLength(1);
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
      "Line 700000, column 1: a quote is opened here and never closed",
    ],
    [
      "a quote that is not closed, some lines into its row",
      'a,b,c\n1,"x\ny, ""z""\r\n","2,3\n4,5\n',
      "Line 4, column 3: a quote is opened here and never closed",
    ],
    [
      "a quote within",
      'a,b\n1,"x"y\n',
      "Line 2, column 2: there is a quote in the middle of a value. Double it, or choose other quotes",
    ],
    [
      "a million columns",
      `a\n1${",".repeat(1_000_000)}`,
      `Line 2, column 1001: there are more than ${limits.columns.toLocaleString("en")} columns`,
    ],
    ["a huge cell", `a\nb,${"x".repeat(2_000_000)}`, "Line 2, column 2: the cell has more than 1,048,576 characters"],
    [
      "a cell without end",
      `a\nb,${"x".repeat(10_000_000)}`,
      "Line 2, column 2: the cell has more than 1,048,576 characters",
    ],
    [
      "a million columns of some length",
      `a\n${"column,".repeat(1_000_000)}`,
      "Line 2, column 1001: there are more than 1,000 columns",
    ],
    [
      "a row without end",
      `a\n"${"x".repeat(10_000_000)}"`,
      "Line 2, column 1: the row has more than 4,194,304 characters. Is a quote not closed?",
    ],
    [
      "a cell without end in quotes, some lines into its row",
      `a,b,c\n1,"x\ny","${"x\n".repeat(5_000_000)}",4`,
      "Line 3, column 3: the row has more than 4,194,304 characters. Is a quote not closed?",
    ],
    [
      "a huge cell in quotes",
      `a\n1,"b","${"é".repeat(3_000_000)}"\n`,
      "Line 2, column 3: the cell has more than 1,048,576 characters",
    ],
    [
      "a row that is too large in all",
      `a\n${`"${"x".repeat(1_000_000)}",`.repeat(4)}"${"x".repeat(500_000)}"\n`,
      "Line 2, column 5: the row has more than 4,194,304 characters. Is a quote not closed?",
    ],
    ["a NUL", "a\nb\0", "Line 2, column 2: there is a NUL character. Is this a text file?"],
    [
      "a NUL far along in a line",
      `a\n${"b,".repeat(100)}\n${"x,".repeat(100_000)}\0`,
      "Line 3, column 200001: there is a NUL character. Is this a text file?",
    ],
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
        return error instanceof CsvError || error instanceof UnreadableFile ? "refused" : error;
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
        numRuns: runs(600),
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
        if (error instanceof UnreadableFile) return [rows, error.reason];
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
      { numRuns: runs(600) },
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
          await processorTime(() => (end === "" ? expect(run).toThrow(UnreadableFile) : expect(run()).toHaveLength(1))),
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
    const rows = openRows(file, await recognize(file, "file"), folder());
    for await (const batch of rows.batches) {
      expect(rows.columns()).toHaveLength(4);
      expect(batch.length * long.length).toBeLessThan(limits.heldCharacters + 2 * long.length);
    }
  });

  const bytes = (text: string) => Buffer.from(text, "latin1");
  // A character begins in one piece of the file and ends in the next.
  const cut = Buffer.concat([bytes("x".repeat(65_534)), Buffer.from("€€\n"), bytes("ab\xfc")]);
  const half = Buffer.concat([bytes("x".repeat(65_534)), bytes("\xe2\x82")]);
  const surrogate = Buffer.from(`n\n\u0a0a${"x".repeat(40_000)}\nab\ud83d!\n`, "utf16le");
  test.each<[string, Buffer, Dialect["encoding"], string]>([
    ["a letter", bytes(`n\n${"x\n".repeat(100)}M\xfcller`), "utf-8", "Line 102, column 2"],
    ["a letter after one in two pieces", cut, "utf-8", "Line 2, column 3"],
    ["a letter that is not all there", half, "utf-8", "Line 1, column 65535"],
    ["half a pair", surrogate, "utf-16le", "Line 3, column 3"],
  ])("%s that is not in the chosen encoding is told with its place", async (_, content, encoding, place) => {
    const said = await refusal(content, { encoding, format: "csv" });
    expect(said).toBe(`${place}: the text is not valid ${encoding}. Choose another encoding`);
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

  test("nothing of a list is left out, whatever it holds", async () => {
    const { columns, rows } = await read(
      '[{"a": ["x", {"b": 1}, null], "c": [[1, 2], [3]], "d": [1, null, "y"], "e": [], "f": [null]}]',
    );
    expect(columns).toEqual(["a.1", "a.2.b", "c.1", "c.2", "d", "e", "f"]);
    expect(rows.map(([, ...cells]) => cells)).toEqual([["x", "1", "1;2", "3", "1;y", "", ""]]);
  });

  test("members may be called like what every object has", async () => {
    const { columns, rows } = await read('[{"__proto__": 1, "constructor": {"prototype": 2}, "toString": 3}]');
    expect(columns).toEqual(["__proto__", "constructor.prototype", "toString"]);
    expect(rows.map(([, ...cells]) => cells)).toEqual([["1", "2", "3"]]);
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
    ['[{"a": 1}, {"b": ', "Line 1, column 18: the JSON is incomplete"],
    ['[{"a": 1}]\n ]', "Line 2, column 2: the JSON is not valid"],
    ['[{"a": 1}, {"b": 01}]', "Line 1, column 19: the JSON is not valid"],
    ['[{"a": 1},\n {"b":\n  x}]', "Line 3, column 3: the JSON is not valid"],
    ["[1, 2]", "Line 1, column 2: each entry must be an object"],
    ['{"a": 1,\n"b": 2}', "The file has no list of objects"],
    ['{"a": 1}\n{"a": \n', "Line 2, column 7: the JSON is not valid"],
  ])("%j is told", async (text, said) => expect(await refusal(text)).toBe(said));

  const members = (count: number) => Array.from({ length: count }, (_, index) => `"c${index}":1`).join();
  test.each([
    ["a million columns", `[{${members(1_000_000)}}]`, "Line 1, column 2: the row has more than 4,194,304 characters"],
    [
      "more columns than are taken",
      `[\n{${members(1_001)}}]`,
      "Line 2, column 8900: there are more than 1,000 columns",
    ],
    [
      "more columns in all rows together",
      `{"a":1}\n{"b":{${members(1_000)}}}\n`,
      "Line 2, column 2: there are more than 1,000 columns",
    ],
    [
      "a long name of a column",
      `{"a":1}\n{"a":1,"${"x".repeat(501)}":1}\n`,
      "Line 2, column 8: the name of a column has more than 500 characters",
    ],
    [
      "a column too many after all those of the rows before",
      `[{${members(1_000)}},\n {"c0":"new","\\u006eew":{"c1":1}}]`,
      "Line 2, column 14: there are more than 1,000 columns",
    ],
    [
      "objects within objects",
      `[${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}]`,
      "Line 1, column 37: values are nested more than 6 levels deep",
    ],
    ["lists within lists", "[".repeat(1_000_000), "Line 1, column 2: each entry must be an object"],
    [
      "a fault far along in one line",
      `[${'{"a": 1},'.repeat(100_000)}{"a": }]`,
      "Line 1, column 900008: the JSON is not valid",
    ],
    [
      "a line without end",
      `{"a": 1}\n{"a": "${"x".repeat(5_000_000)}`,
      "Line 2, column 7: the cell has more than 1,048,576 characters",
    ],
    [
      "a text without end",
      `[{"a": 1},\n{"a": 1,\n "b": "${"x".repeat(5_000_000)}`,
      "Line 3, column 7: the cell has more than 1,048,576 characters",
    ],
    [
      "a line of many texts",
      `{"a": 1}\n{${'"a": "x",'.repeat(1_000_000)}`,
      "Line 2, column 1: the row has more than 4,194,304 characters",
    ],
  ])("%s is told with its place", async (_, text, said) => expect(await refusal(text)).toBe(said));

  const rows = '[{"a": 1}, {"a": 2}]';
  const long = JSON.stringify({ a: "x".repeat(1_000_000), b: "x".repeat(1_000_000) });
  test.each([
    ["lines of millions of characters", `${long}\n${long}\n`, "file", "jsonl", 2],
    ["one such line", long, "file", "jsonl", 1],
    ["a line and nothing after it", '{"a": 1}\n\n', "file", "jsonl", 1],
    ["lines after empty ones", `${"\n".repeat(1_000)}{"a": 1}\n{"a": 2}`, "file", "jsonl", 2],
    ["a list within one line", `{"errors": [], "data": ${rows}}\n`, "file.json", "json", 2],
    ["a list within one long line", `{"told": "${"x".repeat(500_000)}", "data": ${rows}}`, "file.json", "json", 2],
    ["a line whose name says so", `{"id": 7, "lines": ${rows}}`, "file.jsonl", "jsonl", 1],
    ["lines with lists", `{"id": 7, "lines": ${rows}}\n{"id": 8, "lines": ${rows}}`, "file", "jsonl", 2],
  ])("%s", async (_, text, name, format, count) => {
    const found = await read(text, {}, name);
    expect([found.dialect.format, found.rows.length]).toEqual([format, count]);
  });

  test("lines are found wherever the pieces of the file end", async () => {
    const long = "x".repeat(100_000);
    const { rows } = await read(`\ufeff{"a": 1}\r\n{"a": "${long}", "b": "${long}"}\r\n\r\n{"a": 2}`);
    expect(rows).toEqual([
      [1, "1"],
      [2, long, long],
      [4, "2", null],
    ]);
  });
});
