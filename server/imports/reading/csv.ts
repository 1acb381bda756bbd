// Takes a file of separated values; gives its rows in batches. Any line end counts, also different ones in one file; what is
// wrong with it is told with its line and column. Lines without a quote are cut here; those with quotes are the library's, which
// looks at every byte and takes twenty times as long.
import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";
import { say } from "../../../contract/messages.ts";
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

export async function* readCsv(path: string, dialect: Dialect): AsyncGenerator<SourceRow[], void> {
  let line = 1;
  const cut = cutter(dialect, () => line);
  let batch: SourceRow[] = [];
  let held = 0;
  /** Whether the batch is to be handed on. */
  const take = (cells: string[]): boolean => {
    const row = { line, cells };
    line += linesOf(cells);
    if (isBlank(row)) return false;
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

/** Takes a text piece by piece; gives the cells of each row that is complete. `line`: that of the row which comes next. */
export function cutter({ separator, quote }: Pick<Dialect, "separator" | "quote">, line: () => number) {
  const parsed = (text: string): string[][] =>
    parse(text, {
      delimiter: separator,
      quote: quote === "" ? false : quote,
      escape: quote === "" ? null : quote,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      max_record_size: limits.rowCharacters,
    });
  const hasQuote = (text: string): boolean => quote !== "" && text.includes(quote);
  /** What is not complete yet: a line without its end, or lines with a quote that is open. */
  let rest: string[] = [];
  let characters = 0;

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
    let open = "";
    let isOpen = false;
    const parts = text.split(/(\r\n|\n|\r)/u);
    for (let at = 0; at < parts.length; at += 2) {
      const [own = "", end = ""] = [parts[at], parts[at + 1]];
      if (own === "" && end === "") continue;
      if (!isOpen && !hasQuote(own)) {
        if (quoted.length === 0) yield own.split(separator);
        else between.push(own + end);
        if (between.length <= BETWEEN) continue;
        yield* quotedRows(quoted);
        for (const each of between) yield* rowsOf(each);
        quoted = [];
        between = [];
        continue;
      }
      open += own + end;
      // Quotes come in pairs: where all are closed, the row ends with the line.
      if (own.split(quote).length % 2 === 0) isOpen = !isOpen;
      if (isOpen) continue;
      quoted.push(...between, open);
      between = [];
      open = "";
    }
    yield* quotedRows([...quoted, ...between]);
    keep(open);
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
      keep(piece);
      if (endOf(piece) === 0 && characters <= limits.rowCharacters) return;
      const text = whole();
      const end = endOf(text);
      yield* rowsOf(text.slice(0, end));
      keep(text.slice(end));
      if (characters <= limits.rowCharacters) return;
      // If a quote is the reason, the library says so.
      parsed(whole());
      throw inLine(line(), say("import_row_too_long", { max: limits.rowCharacters }));
    },
    *end(): Generator<string[], void> {
      yield* rowsOf(whole());
      yield* parsed(whole());
    },
  };
}

/** Where the last complete line ends. What ends with the first half of a line end may go on with the other. */
function endOf(text: string): number {
  const sure = text.endsWith("\r") ? text.slice(0, -1) : text;
  return Math.max(sure.lastIndexOf("\n"), sure.lastIndexOf("\r")) + 1;
}

/** A row is a line, and one more for each line end within its cells. Asking the parser for it would take most of its time. */
function linesOf(cells: readonly string[]): number {
  let count = 1;
  for (const cell of cells) {
    if (cell.includes("\n") || cell.includes("\r")) count += cell.split(/\r\n|\n|\r/u).length - 1;
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
    case "CSV_QUOTE_NOT_CLOSED":
      return inLine(from, say("import_quote_open"), error);
    case "CSV_MAX_RECORD_SIZE":
      return inLine(from, say("import_row_too_long", { max: limits.rowCharacters }), error);
    case "CSV_INVALID_CLOSING_QUOTE":
    case "INVALID_OPENING_QUOTE":
      return inCell(line, column, say("import_quote_inside"));
    default:
      return inCell(line, column, say("import_malformed"));
  }
}
