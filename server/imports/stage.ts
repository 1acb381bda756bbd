// Reads a whole file once and writes its rows as lines that can be taken up anywhere: what is wrong with the file shows before
// anything of it is saved, and whoever goes on after a crash goes on at a chunk.
import { open, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { say } from "../../contract/messages.ts";
import type { FileStore } from "../files/file-store.ts";
import { openRows } from "./reading/open-rows.ts";
import {
  charactersOf,
  inLine,
  limits,
  rowsTooLarge,
  type SourceRow,
  stagedFor,
  UnreadableFile,
} from "./reading/unreadable.ts";
import type { ImportSpec } from "./spec.ts";

/** Records of a chunk: those of one transaction. */
export const CHUNK = 1_000;

export const placeSchema = z.object({ from: z.number(), to: z.number(), count: z.number() });
/** The bytes of a chunk's lines, and how many records they are. */
export type Place = Readonly<z.infer<typeof placeSchema>>;

/** A record: its row, or its rows where several are one. */
export type StagedRecord = readonly SourceRow[];

export interface Staged {
  readonly path: string;
  readonly size: number;
  readonly columns: readonly string[];
  readonly total: number;
  readonly places: readonly Place[];
}

/** `goOn`: asked between batches; it fails where nobody wants the file any more. */
export async function stageFile(
  file: string,
  spec: ImportSpec,
  folder: string,
  goOn: () => Promise<void> = async () => undefined,
): Promise<Staged> {
  const budget = stagedFor((await stat(file)).size);
  const target = path.join(path.dirname(file), "staged");
  const out = await open(target, "w", 0o600);
  const rows = openRows(file, spec.dialect, folder);
  const places: Place[] = [];
  let size = 0;
  let total = 0;
  let from = 0;
  let count = 0;
  let held: string[] = [];
  /** Of what is held, and of the whole chunk. */
  let waiting = 0;
  let characters = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(held.join(""));
    held = [];
    waiting = 0;
    size += bytes.length;
    if (size > budget) throw rowsTooLarge(budget);
    await out.writeFile(bytes);
  };
  const put = async (record: StagedRecord): Promise<void> => {
    const line = `${JSON.stringify(record.map(written))}\n`;
    held.push(line);
    waiting += line.length;
    characters += line.length;
    total += 1;
    count += 1;
    const isWhole = count >= CHUNK || characters >= limits.chunkCharacters;
    if (isWhole || waiting >= limits.heldCharacters) await flush();
    if (!isWhole) return;
    characters = 0;
    places.push({ from, to: size, count });
    from = size;
    count = 0;
  };
  try {
    const group = spec.grouped ? grouping(spec, () => rows.columns()) : undefined;
    for await (const batch of rows.batches) {
      for (const row of batch) {
        const whole = group ? group.take(row) : [row];
        if (whole) await put(whole);
      }
      await goOn();
    }
    const last = group?.end();
    if (last) await put(last);
    await flush();
    if (count > 0) places.push({ from, to: size, count });
  } finally {
    await out.close();
  }
  if (total === 0) throw new UnreadableFile(say("import_no_rows"));
  return { path: target, size, columns: rows.columns(), total, places };
}

/** Without the empty cells at its end, which say nothing: a file with many columns has most of its rows filled in at the front. */
function written({ line, cells, numbers }: SourceRow): unknown[] {
  let end = cells.length;
  while (end > 0 && (cells[end - 1] ?? "") === "") end -= 1;
  const filled = end === cells.length ? cells : cells.slice(0, end);
  return [line, ...(numbers ? filled.map((cell, at) => (numbers.includes(at) ? Number(cell) : cell)) : filled)];
}

const MOST_GROUPED = 1_000;

/**
 * Rows with equal cells in the columns of the key, one after the other; empty cells there go on with the row before. Those of one
 * record are held together, so they have an end: one that has more is refused, since half of it would be another record.
 */
function grouping({ key, mapping }: ImportSpec, columns: () => readonly string[]) {
  let held: SourceRow[] = [];
  let characters = 0;
  let known = "";
  const keyOf = ({ cells }: SourceRow): string => {
    const names = mapping.flatMap(({ column, target }) => (key.includes(target) ? [column] : []));
    const all = columns();
    return JSON.stringify(names.map((name) => cells[all.indexOf(name)]?.trim() ?? ""));
  };
  return {
    take(row: SourceRow): StagedRecord | undefined {
      const own = keyOf(row);
      const isEmpty = /^\[(?:"",?)*\]$/u.test(own);
      if (held.length > 0 && (isEmpty || own === known)) {
        held.push(row);
        characters += charactersOf(row);
        if (held.length > MOST_GROUPED || characters > limits.rowCharacters)
          throw inLine(row.line, say("import_group_too_large", { rows: MOST_GROUPED, max: limits.rowCharacters }));
        return undefined;
      }
      const whole = held;
      held = [row];
      characters = charactersOf(row);
      known = own;
      return whole.length > 0 ? whole : undefined;
    },
    end: (): StagedRecord | undefined => (held.length > 0 ? held : undefined),
  };
}

/** Numbers like the texts of their file. */
export const writtenCells = ({ cells, numbers }: SourceRow, { decimalSign }: Pick<ImportSpec, "decimalSign">) =>
  numbers ? cells.map((cell, at) => (numbers.includes(at) ? (cell?.replace(".", decimalSign) ?? null) : cell)) : cells;

/** As `stageFile` wrote it. Nobody else writes there; a schema would take longer than reading. */
function readRecord(text: string): StagedRecord {
  const rows = JSON.parse(text) as (number | string | null)[][];
  return rows.map(([line, ...cells]): SourceRow => {
    const numbers = cells.flatMap((cell, at) => (typeof cell === "number" ? [at] : []));
    if (numbers.length === 0) return { line: Number(line), cells: cells as (string | null)[] };
    return { line: Number(line), cells: cells.map((cell) => (cell === null ? null : String(cell))), numbers };
  });
}

export async function readStaged(store: FileStore, key: string, { from, to }: Place): Promise<readonly StagedRecord[]> {
  const stream = await store.get(key, { start: from, end: to - 1 });
  if (!stream) throw new UnreadableFile(say("import_file_gone"));
  const parts: Buffer[] = [];
  for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map(readRecord);
}
