// Takes a workbook and the name of a sheet; gives the sheet's rows in batches, as it is unpacked: values as people would type
// them, of formulas the values that were saved with them.
import { stat } from "node:fs/promises";
import type { SaxesTagPlain } from "saxes";
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { plainNumber } from "../../fields/columns/exact-decimal.ts";
import { SharedStrings } from "./shared-strings.ts";
import {
  checkRow,
  inCell,
  isBlank,
  limits,
  rowsTooLarge,
  type SourceRow,
  stagedFor,
  UnreadableFile,
} from "./unreadable.ts";
import { local, openWorkbook, type Workbook } from "./workbook.ts";
import { parseXml } from "./xml.ts";

export async function sheetNames(path: string): Promise<readonly string[]> {
  const book = await openWorkbook(path);
  book.close();
  return book.sheets.map(({ name }) => name);
}

/** `folder`: where what does not fit into memory is kept meanwhile. */
export async function* readXlsx(path: string, sheet: string, folder: string): AsyncGenerator<SourceRow[], void> {
  const book = await openWorkbook(path);
  const budget = stagedFor((await stat(path)).size);
  const texts = new SharedStrings(folder, Math.min(budget, limits.sharedBytes));
  try {
    const chosen = sheet === "" ? book.sheets[0] : book.sheets.find(({ name }) => name === sheet);
    if (!chosen) throw new UnreadableFile(say("import_no_such_sheet", { sheet }));
    await readTexts(book, texts);
    yield* readSheet(book, chosen.part, texts, budget);
  } catch (error) {
    throw explained(error);
  } finally {
    texts.close();
    book.close();
  }
}

const explained = (error: unknown): unknown =>
  error instanceof UnreadableFile || error instanceof Failure
    ? error
    : new UnreadableFile(say("import_damaged_workbook"), error);

/** Of a workbook whose first sheet is empty: the first that is not. The texts that they share are read once. */
export async function filledSheet(path: string, folder: string): Promise<string | undefined> {
  const book = await openWorkbook(path);
  const budget = stagedFor((await stat(path)).size);
  const texts = new SharedStrings(folder, Math.min(budget, limits.sharedBytes));
  try {
    const others = book.sheets.slice(1);
    if (others.length > 0) await readTexts(book, texts);
    for (const { name, part } of others)
      for await (const rows of readSheet(book, part, texts, budget)) if (rows.length > 0) return name;
    return undefined;
  } catch (error) {
    throw explained(error);
  } finally {
    texts.close();
    book.close();
  }
}

async function readTexts(book: Workbook, texts: SharedStrings): Promise<void> {
  const stream = await book.open("xl/sharedStrings.xml");
  if (!stream) return;
  let text = "";
  let isText = false;
  let isReading = false;
  // Which cell it is shows once one names it.
  const endless = new UnreadableFile(say("import_unpacks_too_large"));
  const events = parseXml(stream, {
    tooLong: () => (isText ? endless : undefined),
    opened: ({ name }) => {
      const tag = local(name);
      if (tag === "si") text = "";
      // Readings of Japanese words stand beside the text itself.
      else if (tag === "rPh") isReading = true;
      else if (tag === "t") isText = !isReading;
    },
    text: (piece) => {
      if (isText && text.length <= limits.characters) text += piece;
    },
    closed: ({ name }) => {
      const tag = local(name);
      if (tag === "si") texts.add(text);
      else if (tag === "rPh") isReading = false;
      else if (tag === "t") isText = false;
    },
  });
  try {
    for await (const _ of events);
  } catch (error) {
    if (error !== endless) throw error;
    texts.endlessAt = texts.count;
  }
}

async function* readSheet(
  book: Workbook,
  part: string,
  texts: SharedStrings,
  budget: number,
): AsyncGenerator<SourceRow[], void> {
  const stream = await book.open(part);
  if (!stream) throw new UnreadableFile(say("import_damaged_workbook"));
  let rows: SourceRow[] = [];
  let held = 0;
  let total = 0;
  let line = 0;
  let cells: (string | null)[] = [];
  let numbers: number[] = [];
  let characters = 0;
  let column = 0;
  let kind = "n";
  let style = 0;
  let text = "";
  let isValue = false;
  /** A formula was met, and no value beside it yet. */
  let isFormula = false;
  const opened = ({ name, attributes }: SaxesTagPlain): void => {
    const tag = local(name);
    if (tag === "row") {
      // Each row has a number of its own, whatever the file says.
      const said = Number(attributes.r);
      line = Number.isInteger(said) && said > line && said <= MOST_ROW ? said : line + 1;
      cells = [];
      numbers = [];
      characters = 0;
      column = -1;
    } else if (tag === "c") {
      column = attributes.r === undefined ? column + 1 : columnOf(attributes.r);
      if (!(column >= 0)) throw new UnreadableFile(say("import_damaged_workbook"));
      if (column >= limits.columns)
        throw inCell(line, column + 1, say("import_too_many_columns", { max: limits.columns }));
      kind = attributes.t ?? "n";
      style = Number(attributes.s ?? "0");
      text = "";
      isFormula = false;
    } else if (tag === "f") isFormula = true;
    else if (tag === "v" || tag === "t") {
      isValue = true;
      isFormula = false;
    }
  };
  const longCell = () => inCell(line, column + 1, say("import_cell_too_long", { max: limits.characters }));
  const tooLong = () => (isValue ? longCell() : undefined);
  const take = (piece: string): void => {
    if (!isValue) return;
    text += piece;
    if (text.length > limits.characters) throw longCell();
  };
  const checkShared = (): void => {
    const endless = texts.endlessAt ?? Number.POSITIVE_INFINITY;
    if (kind !== "s" || text === "" || !(Number(text) >= endless)) return;
    throw Number(text) === endless ? longCell() : new UnreadableFile(say("import_unpacks_too_large"));
  };
  const closed = ({ name }: SaxesTagPlain): void => {
    const tag = local(name);
    if (tag === "v" || tag === "t") isValue = false;
    else if (tag === "c") {
      if (isFormula) throw inCell(line, column + 1, say("import_formula_unsaved"));
      checkShared();
      while (cells.length < column) cells.push(null);
      const cell = cellText(book, texts, kind, style, text);
      cells[column] = cell;
      if (kind === "n" && likeThousands.test(cell ?? "")) numbers.push(column);
      // A short row can name long texts, as many as it has cells: each counts before the next one is read.
      characters += cell?.length ?? 0;
      if (characters > limits.rowCharacters)
        throw inCell(line, column + 1, say("import_row_too_large", { max: limits.rowCharacters }));
    } else if (tag === "row") {
      held += characters;
      total += characters;
      if (held > 16 * limits.chunkCharacters) throw new UnreadableFile(say("import_unpacks_too_large"));
      // Short rows can name long texts: what they come to is known before all of them are there.
      if (total > budget) throw rowsTooLarge(budget);
      const row = { line, cells, ...(numbers.length === 0 ? {} : { numbers }) };
      if (!isBlank(row)) rows.push(checkRow(row));
    }
  };
  for await (const _ of parseXml(stream, { opened, text: take, closed, tooLong })) {
    held = 0;
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

/** `1.125`, which is 1125 where texts have a comma before their decimals. */
const likeThousands = /^-?\d{1,3}\.\d{3}$/u;

/** `BC12` → 54. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < Math.min(reference.length, 4); at += 1) {
    const code = reference.charCodeAt(at);
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  return column - 1;
}

function cellText(book: Workbook, texts: SharedStrings, kind: string, style: number, text: string): string | null {
  if (text === "" && kind !== "s") return null;
  if (kind === "s") return text === "" ? null : (texts.get(Number(text)) ?? null);
  if (kind !== "n") return text;
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  const shown = book.dates[style];
  if (shown) return dayOf(number, book.since1904, shown) ?? text;
  return plainNumber(String(number), 400) ?? text;
}

/** Of every spreadsheet program there is. */
const MOST_ROW = 2 ** 24;
const DAY = 86_400_000;

/**
 * The number of a day, with its time as a fraction; undefined for what is no day up to the year 9999. Two numbers are shown
 * as days that never were: they stay what people see, and a save refuses them.
 */
export function dayOf(serial: number, since1904: boolean, shown: "day" | "time" = "day"): string | undefined {
  if (serial < 0) return undefined;
  const seconds = Math.round((serial % 1) * 86_400);
  const time = new Date(seconds * 1_000).toISOString().slice(11, 19);
  if (serial < 1 && (serial > 0 || shown === "time")) return time;
  const whole = Math.floor(serial);
  // 1900 is taken for a leap year: days before its 29th of February are counted from one day later.
  const first = since1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, whole < 60 ? 31 : 30);
  if (!since1904 && whole === 0) return "1900-01-00";
  if (!since1904 && whole === 60) return "1900-02-29";
  const day = new Date(first + whole * DAY + (seconds === 86_400 ? DAY : 0));
  if (day.getUTCFullYear() > 9999) return undefined;
  const date = day.toISOString().slice(0, 10);
  return seconds === 0 || seconds === 86_400 ? date : `${date} ${time}`;
}
