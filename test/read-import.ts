// Reads a file of records as an import does, from its content: what it is found to be, its rows, or why it is refused.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { writeAll } from "../contract/texts/write.ts";
import { openRows } from "../server/imports/reading/open-rows.ts";
import { recognize } from "../server/imports/reading/recognize.ts";
import { type Dialect, type SourceRow, UnreadableFile } from "../server/imports/reading/unreadable.ts";

let folder = "";
let files = 0;

/** To be called by each file that reads: what it reads is gone with it. */
export function inFolder(): () => string {
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "dossier-reading-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

export function fileOf(content: string | Uint8Array): string {
  files += 1;
  const name = path.join(folder, String(files));
  writeFileSync(name, content);
  return name;
}

export async function read(content: string | Uint8Array, change: Partial<Dialect> = {}, name = "file") {
  const file = fileOf(content);
  const dialect = { ...(await recognize(file, name)), ...change };
  const rows = openRows(file, dialect, folder);
  const all: SourceRow[] = [];
  for await (const batch of rows.batches) all.push(...batch);
  return { dialect, columns: rows.columns(), rows: all.map(({ line, cells }) => [line, ...cells]) };
}

export const refusal = async (content: string | Uint8Array, change: Partial<Dialect> = {}): Promise<string> => {
  try {
    await read(content, change);
  } catch (error) {
    if (error instanceof UnreadableFile) return writeAll([error.reason], "en").join();
    throw error;
  }
  return "nothing";
};
