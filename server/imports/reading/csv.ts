// Takes a file of separated values; gives its rows in batches. Any line end counts, also different ones in one file; what is
// wrong with it is told with its line and column. Lines without a quote are cut here; those with quotes are the library's, which
// looks at every byte and takes twenty times as long.
import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";
import { type Message, say } from "../../../contract/messages.ts";
import { readText } from "./text.ts";
import {
  charactersOf,
  checkRow,
  type Dialect,
  inCell,
  inLine,
  isBlank,
  limits,
  type SourceRow,
  UnreadableFile,
} from "./unreadable.ts";

const BATCH = 1_000;
/** So many lines without a quote go to the library with those around them: to begin anew takes it longer than they do. */
const BETWEEN = 8;
const FEED = 10;
const RETURN = 13;

export async function* readCsv(path: string, dialect: Dialect): AsyncGenerator<SourceRow[], void> {
  let line = 1;
  const cut = cutter(dialect, () => line);
  let batch: SourceRow[] = [];
  let held = 0;
  /** Whether the batch is to be handed on. */
  const take = (cells: string[]): boolean => {
    const row = { line, cells };
    line += linesOf(cells);
    if (isBlank(row) || (row.line === 1 && isSeparatorLine(cells, dialect))) return false;
    batch.push(checkRow(row));
    held += charactersOf(row);
    return batch.length >= BATCH || held >= limits.heldCharacters;
  };
  const handOn = (): SourceRow[] => {
    const whole = batch;
    batch = [];
    held = 0;
    return whole;
  };
  try {
    for await (const piece of readText(path, dialect.encoding)) {
      for (const cells of cut.take(piece)) if (take(cells)) yield handOn();
    }
    for (const cells of cut.end()) if (take(cells)) yield handOn();
    yield handOn();
  } catch (error) {
    throw explained(error, line);
  }
}

/** `sep=;`, which spreadsheets read and do not show. */
const isSeparatorLine = (cells: readonly string[], { separator }: Dialect): boolean =>
  /^sep=.$/iu.test(cells.join(separator));

/** Takes a text piece by piece; gives the cells of each row that is complete. `line`: that of the row which comes next. */
export function cutter({ separator, quote }: Pick<Dialect, "separator" | "quote">, line: () => number) {
  const parsed = (text: string): string[][] =>
    parse(text, {
      delimiter: separator,
      quote: quote === "" ? false : quote,
      escape: quote === "" ? null : quote,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
    });
  const hasQuote = (text: string): boolean => quote !== "" && text.includes(quote);
  /** The row that is not complete yet, and whether a quote is open at its end. */
  let rest: string[] = [];
  let characters = 0;
  let isOpen = false;
  /** The first half of a line end may go on with the other in the next piece. */
  let half = "";

  /** Where the last row ends that is complete with this piece; 0: none is. What was held before is not looked at again. */
  function endOfRows(piece: string): number {
    if (!hasQuote(piece)) return isOpen ? 0 : endOf(piece);
    const quotes = [-1];
    for (let at = piece.indexOf(quote); at !== -1; at = piece.indexOf(quote, at + 1)) quotes.push(at);
    const wasOpen = isOpen;
    // Quotes come in pairs: where all are closed, the row ends with the line.
    if (quotes.length % 2 === 0) isOpen = !isOpen;
    let to = piece.length;
    for (let before = quotes.length - 1; before >= 0; before -= 1) {
      const from = (quotes[before] ?? 0) + 1;
      const isOutside = (before % 2 === 0) !== wasOpen;
      const end = isOutside ? endOf(piece.slice(from, to)) : 0;
      if (end > 0) return from + end;
      to = from - 1;
    }
    return 0;
  }

  /** Of whole rows: every quote is closed. */
  function* rowsOf(text: string): Generator<string[], void> {
    if (!hasQuote(text)) {
      if (text === "") return;
      const lines = text.includes("\r") ? text.split(/\r\n|\n|\r/u) : text.split("\n");
      // After the last line end comes nothing.
      if (lines.at(-1) === "") lines.pop();
      for (const each of lines) yield each.split(separator);
      return;
    }
    let quoted: string[] = [];
    /** Lines without a quote that came after them. */
    let between: string[] = [];
    const [nextQuote, nextFeed, nextReturn] = [finder(text, quote), finder(text, "\n"), finder(text, "\r")];
    for (let from = 0, next = 0; from < text.length; from = next) {
      let end = Math.min(nextFeed(from), nextReturn(from));
      let opened = nextQuote(from);
      const isQuoted = opened < end;
      while (opened < end) {
        const closed = nextQuote(opened + 1) + 1;
        end = Math.min(nextFeed(closed), nextReturn(closed));
        opened = nextQuote(closed);
      }
      next = end + (text.startsWith("\r\n", end) ? 2 : 1);
      if (isQuoted) {
        quoted.push(...between, text.slice(from, next));
        between = [];
        continue;
      }
      if (quoted.length === 0) {
        yield text.slice(from, end).split(separator);
        continue;
      }
      between.push(text.slice(from, next));
      if (between.length <= BETWEEN) continue;
      yield* quotedRows(quoted);
      for (const each of between) yield* rowsOf(each);
      quoted = [];
      between = [];
    }
    yield* quotedRows([...quoted, ...between]);
  }

  /** Many at once; where something is wrong with one of them, those before it are given first. */
  function* quotedRows(rows: readonly string[]): Generator<string[], void> {
    if (rows.length === 0) return;
    let all: string[][] | undefined;
    try {
      all = parsed(rows.join(""));
    } catch (error) {
      if (rows.length === 1) throw error;
    }
    if (all) yield* all;
    else for (const row of rows) yield* parsed(row);
  }

  /** What is said of a row that ends within quotes, where the cell begins that it ends in; if another quote is the reason, that. */
  function inOpenCell(row: string, reason: Message): unknown {
    try {
      parsed(row);
    } catch (error) {
      if (!(error instanceof CsvError) || error.code !== "CSV_QUOTE_NOT_CLOSED") return error;
    }
    let [column, start, isQuoted] = [1, 0, false];
    for (let at = 0; at < row.length; at += 1) {
      if (row[at] === quote) isQuoted = !isQuoted;
      else if (row[at] === separator && !isQuoted) [column, start] = [column + 1, at + 1];
    }
    return inCell(line() + linesOf([row.slice(0, start)]) - 1, column, reason);
  }

  const keep = (text: string): void => {
    if (text === "") return;
    rest.push(text);
    characters += text.length;
  };
  const whole = (): string => {
    const text = rest.join("");
    rest = [];
    characters = 0;
    return text;
  };
  return {
    *take(piece: string): Generator<string[], void> {
      const text = half + piece;
      half = text.endsWith("\r") ? "\r" : "";
      const sure = half === "" ? text : text.slice(0, -1);
      const end = endOfRows(sure);
      if (end > 0) {
        keep(sure.slice(0, end));
        yield* rowsOf(whole());
      }
      keep(sure.slice(end));
      if (characters <= limits.rowCharacters) return;
      const row = whole();
      if (isOpen) throw inOpenCell(row, say("import_row_too_long", { max: limits.rowCharacters }));
      for (const cells of rowsOf(row)) checkRow({ line: line(), cells });
      // Its quotes are more than all else.
      throw inLine(line(), say("import_row_too_large", { max: limits.rowCharacters }));
    },
    *end(): Generator<string[], void> {
      keep(half);
      if (isOpen) throw inOpenCell(whole(), say("import_quote_open"));
      yield* rowsOf(whole());
    },
  };
}

/** Where the last complete line ends. */
const endOf = (text: string): number => Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;

/** Gives where a sign comes next, else the end of the text. Asked from front to back, it looks at each place once. */
function finder(text: string, sign: string): (from: number) => number {
  let at = -1;
  return (from) => {
    if (at >= from) return at;
    at = text.indexOf(sign, from);
    if (at === -1) at = text.length;
    return at;
  };
}

/** A row is a line, and one more for each line end within its cells. Asking the parser for it would take most of its time. */
function linesOf(cells: readonly string[]): number {
  let count = 1;
  for (const cell of cells) {
    if (!cell.includes("\n") && !cell.includes("\r")) continue;
    for (let at = 0; at < cell.length; at += 1) {
      const code = cell.charCodeAt(at);
      if (code === RETURN || (code === FEED && cell.charCodeAt(at - 1) !== RETURN)) count += 1;
    }
  }
  return count;
}

/** `from`: the line in which the row begins that it could not go past. */
function explained(error: unknown, from: number): unknown {
  if (error instanceof UnreadableFile || !(error instanceof CsvError)) return error;
  const at = error as unknown as { readonly lines?: number; readonly column?: number | string };
  // It was given this row alone.
  const line = from + Number(at.lines ?? 1) - 1;
  const column = typeof at.column === "number" ? at.column + 1 : 1;
  switch (error.code) {
    case "CSV_INVALID_CLOSING_QUOTE":
    case "INVALID_OPENING_QUOTE":
      return inCell(line, column, say("import_quote_inside"));
    default:
      return inCell(line, column, say("import_malformed"));
  }
}
