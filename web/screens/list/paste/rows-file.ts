// Pasted rows as a file to import, handed from a list to the import screen of its record type. In memory: gone with the page.
import type { Block } from "../range/cell-block.ts";

const plain = (text: string): string => text.trim().toLocaleLowerCase();

/** Whether the first row names columns: at least half of its cells are labels. The others can become fields. */
export function namesColumns([first = []]: Block, labels: readonly string[]): boolean {
  const known = new Set(labels.map(plain));
  const said = first.map(plain).filter((text) => text !== "");
  return said.length > 0 && 2 * said.filter((text) => known.has(text)).length >= said.length;
}

/** Every cell stands in quotes, so that nothing in it can be taken for a separator. */
const csvOf = (rows: Block): string =>
  rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\n");

/** `names`: of its columns, where the first row does not name them. */
export const rowsFile = (name: string, rows: Block, names?: readonly string[]): File => {
  const width = rows[0]?.length ?? 0;
  const header = names && Array.from({ length: width }, (_, index) => names[index] ?? "");
  return new File([csvOf(header ? [header, ...rows] : rows)], name, { type: "text/csv" });
};

export interface HandedRows {
  readonly file: File;
  /** Undefined: it is not known whether the first row names the columns. */
  readonly headerRow: number | undefined;
}

const handed = new Map<string, HandedRows>();

export const handRows = (recordTypeKey: string, rows: HandedRows): void => void handed.set(recordTypeKey, rows);

export const handedRows = (recordTypeKey: string): HandedRows | undefined => handed.get(recordTypeKey);

export const takeRows = (recordTypeKey: string): void => void handed.delete(recordTypeKey);
