// Writes rows as an XLSX workbook, as they come: a new sheet begins where one is full, and no row is held longer than it
// takes to write it. Numbers and dates are cells of their kind, all else is text.
import { escapeFormula } from "./spreadsheet-text.ts";
import { writeZip, type ZipEntry } from "./zip-writer.ts";

export type CellKind = "text" | "number" | "date" | "instant";

export interface SheetColumn {
  readonly title: string;
  readonly kind: CellKind;
}

type Cells = readonly (string | null)[];

/** What Excel takes in one sheet, its header aside. */
const MOST_ROWS = 1_048_575;
/** Keeps a sheet below what a ZIP entry can hold. */
const MOST_CHARACTERS = 900_000_000;
const MOST_IN_CELL = 32_767;
/** More digits than a double holds would be changed silently. */
const MOST_DIGITS = 15;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const styleOf = { header: 1, date: 2, instant: 3 } as const;

export async function* writeXlsx(
  title: string,
  columns: readonly SheetColumn[],
  batches: AsyncIterable<readonly Cells[]>,
): AsyncGenerator<Buffer, void> {
  const rows = oneByOne(batches);
  try {
    yield* writeZip(entries(title, columns, rows));
  } finally {
    await rows.return(undefined);
  }
}

async function* oneByOne(batches: AsyncIterable<readonly Cells[]>): AsyncGenerator<Cells, void> {
  for await (const batch of batches) yield* batch;
}

async function* entries(
  title: string,
  columns: readonly SheetColumn[],
  rows: AsyncGenerator<Cells, void>,
): AsyncGenerator<ZipEntry, void> {
  const state: { next: Cells | undefined; count: number } = { next: undefined, count: 0 };
  const advance = async () => {
    const step = await rows.next();
    state.next = step.done ? undefined : step.value;
  };
  await advance();
  do {
    state.count += 1;
    yield { name: `xl/worksheets/sheet${state.count}.xml`, content: sheet(columns, state, advance) };
  } while (state.next);
  yield* workbook(title, state.count);
}

/** Text goes out in pieces of about this size. */
const PIECE = 64 * 1024;

async function* sheet(
  columns: readonly SheetColumn[],
  state: { readonly next: Cells | undefined },
  advance: () => Promise<void>,
): AsyncGenerator<string, void> {
  const letters = columns.map((_, index) => columnLetters(index));
  const at = (index: number, row: number) => `${letters[index] ?? ""}${row}`;
  const titles = columns.map(({ title }, index) => textCell(at(index, 1), title, styleOf.header)).join("");
  let text = `${HEAD}<worksheet ${MAIN}><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData><row r="1">${titles}</row>`;
  let written = 0;
  for (let row = 0; state.next && row < MOST_ROWS && written < MOST_CHARACTERS; row += 1) {
    const cells = state.next;
    text += `<row r="${row + 2}">${columns.map(({ kind }, index) => cell(at(index, row + 2), cells[index] ?? null, kind)).join("")}</row>`;
    if (text.length >= PIECE) {
      written += text.length;
      yield text;
      text = "";
    }
    await advance();
  }
  yield `${text}</sheetData></worksheet>`;
}

function cell(at: string, value: string | null, kind: CellKind): string {
  if (value === null || value === "") return "";
  if (kind === "number" && /^-?\d+(?:\.\d+)?$/u.test(value) && value.replace(/[-.]/gu, "").length <= MOST_DIGITS) {
    return `<c r="${at}"><v>${value}</v></c>`;
  }
  if (kind === "date" || kind === "instant") {
    const serial = serialOf(value);
    if (serial !== undefined) return `<c r="${at}" s="${styleOf[kind]}"><v>${serial}</v></c>`;
  }
  return textCell(at, escapeFormula(value), 0);
}

/** A to Z, then AA. */
function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

const DAY_MS = 86_400_000;
/** Excel's day 0; it believes in a 29 February 1900, so days before March 1900 stay text. */
const EPOCH = Date.UTC(1899, 11, 30);
const FIRST = Date.UTC(1900, 2, 1);

function serialOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?$/u.test(text)) return undefined;
  const time = Date.parse(`${text.replace(" ", "T")}${text.length > 10 ? "Z" : "T00:00:00Z"}`);
  return Number.isNaN(time) || time < FIRST ? undefined : (time - EPOCH) / DAY_MS;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** What XML 1.0 cannot say is left out. */
const unsayable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are meant.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const xmlText = (text: string): string =>
  text
    .replace(unsayable, "")
    .replace(/[&<>"]/gu, (sign) => entities[sign] ?? sign)
    .replaceAll("\r", "&#13;");

const textCell = (at: string, text: string, style: number): string =>
  `<c r="${at}" t="inlineStr"${style === 0 ? "" : ` s="${style}"`}><is><t xml:space="preserve">${xmlText(text.slice(0, MOST_IN_CELL))}</t></is></c>`;

/** Sheet names have at most 31 characters, and not these. */
const sheetName = (title: string): string =>
  title
    .replace(/[\\/?*[\]:']/gu, " ")
    .slice(0, 25)
    .trim() || "Sheet";

function* workbook(title: string, count: number): Generator<ZipEntry, void> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const each = (write: (number: number) => string) => numbers.map(write).join("");
  const file = (name: string, text: string): ZipEntry => ({ name, content: [HEAD + text] });
  const name = (number: number) => xmlText(number === 1 ? sheetName(title) : `${sheetName(title)} ${number}`);
  yield file(
    "xl/workbook.xml",
    `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets>${each((n) => `<sheet name="${name(n)}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
  );
  yield file(
    "xl/_rels/workbook.xml.rels",
    `<Relationships xmlns="${PACKAGE}/relationships">${each((n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId${count + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  );
  yield file(
    "xl/styles.xml",
    `<styleSheet ${MAIN}><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  );
  yield file(
    "_rels/.rels",
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  );
  yield file(
    "[Content_Types].xml",
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/>${each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/>`)}</Types>`,
  );
}
