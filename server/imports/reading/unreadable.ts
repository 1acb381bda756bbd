// Why a file cannot be read, with the line and column where that shows; and how much of a file is taken.
import { type Message, say } from "../../../contract/messages.ts";
import { currentScope, isLate, tookTooLong } from "../../database/scope.ts";

export const limits = {
  fileBytes: 1024 * 1024 * 1024,
  rows: 5_000_000,
  columns: 1_000,
  /** Of a column's name: all of them are held, and kept with the import. */
  nameCharacters: 200,
  pathCharacters: 500,
  /** Of one cell. */
  characters: 1024 * 1024,
  /** Of one row of a text file, quotes included. */
  rowCharacters: 4 * 1024 * 1024,
  /** Of the rows that are held while a file is read, and of those that are saved at once. */
  heldCharacters: 256 * 1024,
  chunkCharacters: 2 * 1024 * 1024,
  /** Of the first rows: the row that names the columns and a cell in every column stand within them. */
  namingRows: 1_000,
  namingCharacters: 8 * 1024 * 1024,
  /** What all rows of a file come to, written out: at most, and by the size of the file (`stagedFor`). */
  stagedBytes: 3 * 1024 * 1024 * 1024,
  stagedBase: 64 * 1024 * 1024,
  stagedRatio: 16,
  /** What one part of a workbook unpacks to, and how many times its packed size, once it is large. */
  partBytes: 8 * 1024 * 1024 * 1024,
  packedRatio: 300,
  largePartBytes: 32 * 1024 * 1024,
  parts: 10_000,
  sheets: 1_000,
  /** Of XML: what stands between two tags (a cell, written in whatever way), the attributes of a tag, and how many tags are open at once. */
  betweenTags: 8 * 1024 * 1024,
  attributes: 1_000,
  depth: 100,
  /** What all shared texts of a workbook come to, and what each counts beside its characters. */
  sharedBytes: 1024 * 1024 * 1024,
  sharedEntry: 64,
} as const;

export class UnreadableFile extends Error {
  readonly reason: Message;

  constructor(reason: Message, cause?: unknown) {
    super("the file cannot be read", { cause });
    this.reason = reason;
  }
}

/**
 * What the rows of a file of this size may come to. A text of small cells is three times as long once it is staged; a workbook packs
 * its parts, and names a text that many cells share once. What goes far beyond that was made to.
 */
export const stagedFor = (fileBytes: number): number =>
  Math.min(limits.stagedBytes, limits.stagedBase + limits.stagedRatio * fileBytes);

const MIB = 1024 * 1024;

export const rowsTooLarge = (budget: number): UnreadableFile =>
  new UnreadableFile(say("import_rows_too_large", { max: Math.floor(budget / MIB) }));

/** Asked for every piece of a file: it can be long and hold nothing that anybody would stop at. */
export function checkTime(): void {
  if (isLate(currentScope())) throw tookTooLong();
}

export const inLine = (line: number, reason: Message, cause?: unknown): UnreadableFile =>
  new UnreadableFile(say("import_in_line", { line, reason }), cause);

export const inCell = (line: number, column: number, reason: Message): UnreadableFile =>
  new UnreadableFile(say("import_in_cell", { line, column, reason }));

/** A row of the file: where it begins (a line, a row of a sheet, a record of JSON, from 1), and its cells as texts. */
export interface SourceRow {
  readonly line: number;
  readonly cells: readonly (string | null)[];
  /** Cells that hold a number and not a text, where their point could be taken for one between thousands. */
  readonly numbers?: readonly number[];
}

/** What was found out about a file, or chosen in its place. */
export interface Dialect {
  readonly format: "csv" | "xlsx" | "json" | "jsonl";
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
  readonly separator: string;
  /** Empty: none. */
  readonly quote: string;
  /** The row with the names of the columns; 0: there is none. */
  readonly headerRow: number;
  /** Of a workbook. */
  readonly sheet: string;
}

export const charactersOf = ({ cells }: SourceRow): number => cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);

export function checkRow(row: SourceRow): SourceRow {
  if (row.cells.length > limits.columns) {
    throw inCell(row.line, limits.columns + 1, say("import_too_many_columns", { max: limits.columns }));
  }
  const long = row.cells.findIndex((cell) => (cell?.length ?? 0) > limits.characters);
  if (long !== -1) throw inCell(row.line, long + 1, say("import_cell_too_long", { max: limits.characters }));
  // A text that many cells share counts in each of them.
  if (charactersOf(row) > limits.rowCharacters) {
    let characters = 0;
    const over = row.cells.findIndex((cell) => {
      characters += cell?.length ?? 0;
      return characters > limits.rowCharacters;
    });
    throw inCell(row.line, over + 1, say("import_row_too_large", { max: limits.rowCharacters }));
  }
  return row;
}

export const isBlank = ({ cells }: SourceRow): boolean => cells.every((cell) => cell === null || cell.trim() === "");
