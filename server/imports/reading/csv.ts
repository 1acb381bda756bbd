// Takes a file of separated values; gives its rows in batches. Any line end counts, also different ones in one file; what is
// wrong with it is told with its line and column.
import { CsvError, parse } from "csv-parse";
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

export async function* readCsv(path: string, dialect: Dialect): AsyncGenerator<SourceRow[], void> {
  const { encoding, separator, quote } = dialect;
  const parser = parse({
    delimiter: separator,
    quote: quote === "" ? false : quote,
    escape: quote === "" ? null : quote,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    max_record_size: limits.rowCharacters,
  });
  parser.on("error", () => undefined);
  let line = 1;
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
    // What a piece holds is parsed as it is written: its rows are there at once, and what is wrong comes after them.
    for await (const piece of readText(path, encoding)) {
      const written = new Promise<void>((resolve, reject) => {
        parser.write(piece, (error) => (error ? reject(error) : resolve()));
      });
      written.catch(() => undefined);
      for (let record = parser.read(); record !== null; record = parser.read()) if (take(record)) yield handOn();
      await written;
    }
    parser.end();
    for await (const record of parser as AsyncIterable<string[]>) if (take(record)) yield handOn();
    yield handOn();
  } catch (error) {
    throw explained(error, line);
  } finally {
    parser.destroy();
  }
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
  const line = Number(at.lines ?? from);
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
