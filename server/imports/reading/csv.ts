// Takes a file of separated values; gives its rows in batches. Any line end counts, also different ones in one file; what is
// wrong with it is told with its line and column.
import { Readable } from "node:stream";
import { CsvError, type Info, parse } from "csv-parse";
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
    info: true,
  });
  const source = Readable.from(readText(path, encoding), { objectMode: true, highWaterMark: 2 });
  source.once("error", (error) => parser.destroy(error));
  source.pipe(parser);
  let line = 1;
  let batch: SourceRow[] = [];
  let held = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const row = { line, cells: record };
      line = info.lines + 1;
      if (isBlank(row)) continue;
      batch.push(checkRow(row));
      held += charactersOf(row);
      if (batch.length < BATCH && held < limits.heldCharacters) continue;
      yield batch;
      batch = [];
      held = 0;
    }
    yield batch;
  } catch (error) {
    throw explained(error, line);
  } finally {
    source.destroy();
    parser.destroy();
  }
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
