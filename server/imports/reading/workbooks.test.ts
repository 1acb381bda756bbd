// Workbooks as people have them, and as nobody should: what is read, and what is said.
import { describe, expect, test, vi } from "vitest";
import { fileOf, inFolder, read, refusal } from "../../../test/read-import.ts";
import { giveTime, openScope, within } from "../../database/scope.ts";
import { writeXlsx } from "../../lib/writing/xlsx-writer.ts";
import { writeZip } from "../../lib/writing/zip-writer.ts";
import { openRows } from "./open-rows.ts";
import { recognize } from "./recognize.ts";
import { SharedStrings } from "./shared-strings.ts";
import { limits, UnreadableFile } from "./unreadable.ts";
import { styleOf } from "./workbook.ts";
import { dayOf, filledSheet } from "./xlsx.ts";

const folder = inFolder();

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
      "1900-02-29",
      "1900-03-01",
      "2026-02-28",
      "2026-02-28 12:00:00",
      "12:00:00",
      "9999-12-31",
      undefined,
      undefined,
    ]);
    expect(dayOf(44619, true)).toBe("2026-02-28");
    // Shown so by spreadsheets, and no day: whatever it is saved to says so.
    expect([dayOf(0, false), dayOf(0, true)]).toEqual(["1900-01-00", "1904-01-01"]);
    expect([dayOf(0, false, "time"), dayOf(0, true, "time"), dayOf(0.25, false, "time")]).toEqual([
      "00:00:00",
      "00:00:00",
      "06:00:00",
    ]);
  });

  test.each([
    ["yyyy-mm-dd", "day"],
    ["[h]:mm", "time"],
    ["[$-409]h:mm AM/PM", "time"],
    ["[Red]0.00", undefined],
    ['"days" 0', undefined],
    ["mmm", "day"],
  ] as const)("numbers shown as %s are a %s", (code, style) => {
    expect(styleOf(code)).toBe(style);
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

  test("the first filled sheet is found, however many are empty before it; their texts are read once", async () => {
    const sheets = (filled: number) => {
      const places = [...Array(limits.sheets).keys()];
      const idOf = (at: number) => (at === filled ? "r1" : "r2");
      return crafted({
        "xl/_rels/workbook.xml.rels": [
          '<Relationships><Relationship Id="r1" Target="sheet.xml"/><Relationship Id="r2" Target="empty.xml"/></Relationships>',
        ],
        "xl/workbook.xml": [
          `<w xmlns:r="r">${places.map((at) => `<sheet name="S${at}" r:id="${idOf(at)}"/>`).join("")}</w>`,
        ],
        // A text of spaces is no row.
        "xl/empty.xml": ['<w><row><c t="s"><v>1</v></c></row></w>'],
        "xl/sharedStrings.xml": ["<sst><si><t>a</t></si><si><t> </t></si></sst>"],
      });
    };
    const added = vi.spyOn(SharedStrings.prototype, "add");
    const last = limits.sheets - 1;
    expect(await filledSheet(fileOf(await sheets(last)), folder())).toBe(`S${last}`);
    expect(added).toHaveBeenCalledTimes(2);
    added.mockRestore();
    expect(await filledSheet(fileOf(await sheets(-1)), folder())).toBe(undefined);
  });

  test("whoever waits for a file that holds nothing waits no longer than for anything else", async () => {
    const scope = openScope("1");
    giveTime(scope, -1);
    const blanks = "<row><c><v> </v></c></row>";
    const files = [
      fileOf(await crafted({ "xl/sheet.xml": many("<w>", blanks, 10, "</w>") })),
      fileOf(Buffer.from(`a,b\n${" \n".repeat(10)}`)),
    ];
    for (const file of files) {
      const read = async () => {
        const dialect = await recognize(file, "file");
        for await (const _ of openRows(file, dialect, folder()).batches);
      };
      await expect(within(scope, read)).rejects.toMatchObject({ code: "took_too_long" });
    }
    await expect(within(scope, () => filledSheet(files[0] ?? "", folder()))).rejects.toMatchObject({
      code: "took_too_long",
    });
  });

  const mebibyte = "x".repeat(1024 * 1024);

  test.each([
    [
      "a text without an end before the one that is asked for",
      "xl/sharedStrings.xml",
      many("<sst><si><t>", mebibyte, 20, "</t></si><si><t>after</t></si></sst>"),
      '<w><row><c t="s"><v>1</v></c></row></w>',
    ],
    ["a comment without an end", "xl/sheet.xml", many("<w><!--", mebibyte, 20, "--></w>")],
    ["an attribute without an end", "xl/styles.xml", many('<s a="', mebibyte, 20, '"></s>')],
    ["a bomb of 40 MiB in 40 KiB", "xl/sheet.xml", many("<w>", "<row/>".repeat(175_000), 40, "</w>")],
    ["tags within tags", "xl/sheet.xml", many("<w>", "<a>", 200, "</a></w>")],
    ["tags within tags of the styles", "xl/styles.xml", many("<w>", "<a>", 200, "</a></w>")],
    ["more sheets than anybody has", "xl/workbook.xml", many("<w>", '<sheet name="S" r:id="r1"/>', 1_001, "</w>")],
  ])("%s is refused before it is held", async (_, part, content, sheet = undefined) => {
    const parts = { ...(sheet === undefined ? {} : { "xl/sheet.xml": [sheet] }), [part]: content };
    const said = await refusal(await crafted(parts), {});
    expect(said).toBe("The workbook is too large once unpacked");
  });

  const longTexts = (text: string) => many("<sst>", `<si><t>${text.repeat(1_000_000)}</t></si>`, 8, "</sst>");
  const lastText = '<c t="s"><v>7</v></c>';
  test.each([
    [
      "a million columns",
      many("<w><row>", "<c><v>1</v></c>".repeat(10_000), 100, "</row></w>"),
      "Line 1, column 1001: there are more than 1,000 columns",
    ],
    [
      "a cell without an end",
      many("<w><row/><row><c/><c><v>", mebibyte, 20, "</v></c></row></w>"),
      "Line 2, column 2: the cell has more than 1,048,576 characters",
    ],
    [
      "a cell that is far to the right",
      ['<w><row><c r="XFD1"><v>1</v></c></row></w>'],
      "Line 1, column 16384: there are more than 1,000 columns",
    ],
    [
      "long texts in many columns",
      many("<w><row>", `<c t="str"><v>${"x".repeat(30_000)}</v></c>`, 200, "</row></w>"),
      "Line 1, column 140: the row has more than 4,194,304 characters",
    ],
    [
      "a shared formula without a value",
      ['<w><row><c><f t="shared" si="0">B1</f><v>1</v></c><c><f t="shared" si="0"/></c></row></w>'],
      "Line 1, column 2: the formula has no saved value. Open the workbook in a spreadsheet program and save it there",
    ],
    [
      "a tag with many attributes",
      [`<w><row ${Array.from({ length: 1_001 }, (_, at) => `a${at}="1"`).join(" ")}/></w>`],
      "The workbook is too large once unpacked",
    ],
  ])("%s is told", async (_, content, said) =>
    expect(await refusal(await crafted({ "xl/sheet.xml": content }), { headerRow: 0 })).toBe(said),
  );

  test.each([
    ["a long text in every cell", "x"],
    ["blanks in every cell", " "],
  ])("%s of a row is refused before all of them are held", async (_, text) => {
    const file = await crafted({
      "xl/sharedStrings.xml": longTexts(text),
      "xl/sheet.xml": many("<w><row>", lastText, 999, "</row></w>"),
    });
    expect(await refusal(file, { headerRow: 0 })).toBe("Line 1, column 5: the row has more than 4,194,304 characters");
  });

  test("a shared text without an end is told where a cell names it; where none does, it is nothing", async () => {
    const texts = () => many("<sst><si><t>short</t></si><si><t>", mebibyte, 20, "</t></si></sst>");
    const short = '<row><c t="s"><v>0</v></c></row>';
    const long = '<row><c><v>1</v></c><c t="s"><v>1</v></c></row>';
    const sheet = (...rows: string[]) => ({
      "xl/sharedStrings.xml": texts(),
      "xl/sheet.xml": ["<w>", ...rows, "</w>"],
    });
    expect(await refusal(await crafted(sheet(short, long)), { headerRow: 0 })).toBe(
      "Line 2, column 2: the cell has more than 1,048,576 characters",
    );
    expect((await read(await crafted(sheet(short)), { headerRow: 0 })).rows).toEqual([[1, "short"]]);
  });

  test("rows of nothing but blanks count as others do", async () => {
    const file = await crafted({
      "xl/sharedStrings.xml": longTexts(" "),
      "xl/sheet.xml": many("<w>", `<row>${lastText.repeat(4)}</row>`, 1_000, "</w>"),
    });
    expect(await refusal(file, { headerRow: 0 })).toBe("The workbook is too large once unpacked");
  });

  test("what a sheet says of its size is not believed", async () => {
    const file = await crafted({
      "xl/sheet.xml": [
        '<w><dimension ref="A1:XFD1048576"/><row r="3"><c r="B9"><v>1</v></c></row><row r="99999999999"><c><v>2</v></c></row></w>',
      ],
    });
    expect((await read(file, { headerRow: 0 })).rows).toEqual([
      [3, null, "1"],
      [4, "2"],
    ]);
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

  test("days, times, shared texts and parts are found as each program writes them", async () => {
    const formats = "<numFmts><numFmt numFmtId='164' formatCode='yyyy\\-mm'/></numFmts>";
    // What stands around the styles of cells is none of them.
    const named = "<cellStyleXfs><xf numFmtId='14'/><xf numFmtId='14'/></cellStyleXfs>";
    const styles = [0, 14, 20, 164].map((id) => `<xf numFmtId='${id}'/>`).join("");
    const values = ['s="0"><v>44619', 's="1"><v>44619', 's="2"><v>0', 's="3"><v>44619.25', 't="s"><v>0', 't="b"><v>1'];
    const file = await crafted({
      "xl/_rels/workbook.xml.rels": ['<Relationships><Relationship Id="r1" Target="/xl/sheet.xml"/></Relationships>'],
      "xl/workbook.xml": [
        '<w xmlns:r="r"><workbookPr date1904="true"/><sheets><sheet name="S" r:id="r1"/></sheets></w>',
      ],
      "xl/styles.xml": [`<s>${formats}${named}<cellXfs>${styles}</cellXfs></s>`],
      "xl/sharedStrings.xml": ["<sst><si><t>東京</t><rPh><t>トウキョウ</t></rPh></si></sst>"],
      "xl/sheet.xml": [`<w><row>${values.map((one) => `<c ${one}</v></c>`).join("")}</row></w>`],
    });
    expect((await read(file, { headerRow: 0 })).rows).toEqual([
      [1, "44619", "2026-02-28", "00:00:00", "2026-02-28 06:00:00", "東京", "1"],
    ]);
  });

  test("what is crafted with care is read", async () => {
    const file = await crafted({ "xl/sharedStrings.xml": ["<sst><si><t>one</t></si></sst>"] });
    expect((await read(file, { headerRow: 0 })).rows).toEqual([[1, "one"]]);
  });

  test("shared texts that do not fit into memory are read back, whichever is asked for", () => {
    const texts = new SharedStrings(folder());
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
    const texts = new SharedStrings(folder(), 10_000);
    const fill = () => {
      for (let at = 0; at < 1_000; at += 1) texts.add("");
    };
    expect(fill).toThrow(UnreadableFile);
    texts.close();
  });
});
