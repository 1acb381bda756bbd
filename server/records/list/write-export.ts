// Takes a table to export; gives it as a stream of CSV, XLSX or JSON. The database is read at its own pace and let go: what
// its reader has not taken yet waits on the disk. A reader that goes away ends the reading.
import { Readable } from "node:stream";
import { BytePage } from "../../database/byte-page.ts";
import { busy, currentScope } from "../../database/scope.ts";
import type { TextRows } from "../../database/text-rows.ts";
import { spooled } from "../../lib/writing/spool.ts";
import { csvCell, csvLine, isPlainCsv } from "../../lib/writing/spreadsheet-text.ts";
import { writeXlsx } from "../../lib/writing/xlsx-writer.ts";
import { childTexts, titlesOf, withChildRows } from "./export-children.ts";
import type { ExportChildren, ExportColumn, ExportTable } from "./export-table.ts";

export const exportFormats = {
  csv: { contentType: "text/csv; charset=utf-8", write: writeCsv },
  xlsx: { contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", write: writeSheet },
  json: { contentType: "application/json; charset=utf-8", write: writeJson },
} as const;

export type ExportFormat = keyof typeof exportFormats;

export interface ExportOptions {
  readonly title: string;
  readonly controller: string;
  /** Excel takes a CSV for UTF-8 only if it begins with a byte order mark. */
  readonly bom: boolean;
  /** Where what is not read yet is kept. */
  readonly folder: string;
}

type Batches = AsyncIterable<TextRows>;
type Write = (
  columns: readonly ExportColumn[],
  batches: Batches,
  options: ExportOptions,
  children: readonly ExportChildren[],
) => AsyncIterable<string | Buffer>;

/** What may wait for a slow reader: a little in memory, the rest on the disk, so that the database is not kept waiting. */
const SPOOL = { memoryBytes: 1024 * 1024, diskBytes: 1024 * 1024 * 1024 } as const;
/** Of one organization, those that are still being read included. */
const MOST_OPEN = 6;
const open = new Map<string, number>();

/** The first batch is read before this returns: what is wrong with the export is said as a failure, not in the middle. */
export async function writeExport(
  { columns, batches, children = [] }: ExportTable,
  format: ExportFormat,
  options: ExportOptions,
): Promise<Readable> {
  const close = openOne(currentScope()?.share ?? "");
  const write: Write = exportFormats[format].write;
  try {
    const first = await batches.next();
    const all = async function* () {
      try {
        if (!first.done) yield first.value;
        yield* batches;
      } finally {
        await batches.return();
      }
    };
    const bytes = spooled(write(columns, all(), options, children), { ...SPOOL, folder: options.folder });
    const stream = Readable.from(bytes, { objectMode: true, highWaterMark: 1 });
    // A stream that ends before it was begun has run none of the generators, so none of them cleans up.
    stream.once("close", () => {
      close();
      batches.return().catch(() => undefined);
    });
    return stream;
  } catch (error) {
    close();
    throw error;
  }
}

/** Gives what ends it. */
function openOne(share: string): () => void {
  const count = open.get(share) ?? 0;
  if (count >= MOST_OPEN) throw busy();
  open.set(share, count + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const left = (open.get(share) ?? 1) - 1;
    if (left > 0) open.set(share, left);
    else open.delete(share);
  };
}

async function* writeCsv(
  columns: readonly ExportColumn[],
  batches: Batches,
  { bom }: ExportOptions,
  children: readonly ExportChildren[],
) {
  yield (bom ? "\ufeff" : "") + csvLine(titlesOf(columns, children));
  if (children.length > 0) {
    for await (const rows of withChildRows(columns, children, batches)) yield rows.map(csvLine).join("");
    return;
  }
  const page = new BytePage();
  for await (const rows of batches) {
    for (let row = 0; row < rows.length; row += 1) {
      const bytes = rows.bytes(row);
      columns.forEach(({ at, display }, index) => {
        if (index > 0) page.text(",");
        const position = rows.position(row, at);
        const from = position + 4;
        const to = from + bytes.readInt32BE(position);
        if (to <= from) return;
        if (display === undefined && isPlainCsv(bytes, from, to)) page.copy(bytes, from, to);
        else {
          const text = bytes.toString("utf8", from, to);
          page.text(csvCell(display ? display(text) : text));
        }
      });
      page.text("\r\n");
    }
    yield page.take();
  }
}

function writeSheet(
  columns: readonly ExportColumn[],
  batches: Batches,
  { title }: ExportOptions,
  children: readonly ExportChildren[],
) {
  if (children.length > 0) {
    const all = [...columns, ...children.flatMap((one) => one.columns)];
    return writeXlsx(title, all, withChildRows(columns, children, batches));
  }
  const shown = async function* () {
    for await (const rows of batches) {
      yield Array.from({ length: rows.length }, (_, row) =>
        columns.map(({ at, display }) => {
          const text = rows.text(row, at);
          return text === null || !display ? text : display(text);
        }),
      );
    }
  };
  return writeXlsx(title, columns, shown());
}

async function* writeJson(
  columns: readonly ExportColumn[],
  batches: Batches,
  { title, controller }: ExportOptions,
  children: readonly ExportChildren[],
) {
  const head = JSON.stringify({ errors: [], message: [], controller, name: title });
  const keys = columns.map(({ key }, index) => `${index === 0 ? "{" : ","}${JSON.stringify(key)}:`);
  yield `${head.slice(0, -1)},"data":[`;
  const page = new BytePage();
  let between = "\n";
  for await (const rows of batches) {
    for (let row = 0; row < rows.length; row += 1) {
      page.text(between);
      columns.forEach(({ at, display, always }, index) => {
        page.text(keys[index] ?? "");
        const text = always ? rows.text(row, at) : null;
        if (text !== null && display) page.text(JSON.stringify(display(text)));
        else page.json(rows.bytes(row), rows.position(row, at));
      });
      for (const one of children) page.text(`,${JSON.stringify(one.key)}:${jsonChildren(one, rows.text(row, one.at))}`);
      page.text("}");
      between = ",\n";
    }
    yield page.take();
  }
  yield "\n]}\n";
}

/** By the names that a save takes. */
const jsonChildren = ({ columns }: ExportChildren, text: string | null): string =>
  JSON.stringify(
    childTexts(text).map((cells) =>
      Object.fromEntries(columns.flatMap(({ path, at }) => (path === undefined ? [] : [[path, cells[at] ?? null]]))),
    ),
  );
