// Takes an archive; reads all of it and gives what is in it; throws a sentence where it is not as it was written.
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { addRows, type Contents, MISSING_FILES, SCHEMA, sumOf, tableOf } from "./archive.ts";
import { type DatabaseSchema, schemaSchema } from "./catalog.ts";
import { BackupFault } from "./faults.ts";
import type { OnProgress } from "./progress.ts";
import { type ReadMember, readArchive } from "./read-archive.ts";

export const missingFilesSchema = z.array(z.string());

const NEW_LINE = 0x0a;

/** A row ends with a line break; those of its values are written otherwise. */
export function countRows(piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(NEW_LINE); at !== -1; at = piece.indexOf(NEW_LINE, at + 1)) count += 1;
  return count;
}

export const damagedMember = (file: string, name: string): BackupFault =>
  new BackupFault(`${file} is damaged (${name}). Nothing was restored from it; use another backup.`);

/** The text of a compressed member. */
export async function* unpacked(file: string, { name, body }: ReadMember): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  // What goes wrong on the way in is thrown by what is read on the other side.
  pipeline(body, gunzip).catch(() => undefined);
  try {
    for await (const piece of gunzip) yield piece;
  } catch (error) {
    throw error instanceof BackupFault ? error : damagedMember(file, name);
  }
}

/** A member that is JSON, of the shape that it must have. */
export async function readJson<T>(file: string, { name, body }: ReadMember, schema: z.ZodType<T>): Promise<T> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  try {
    return schema.parse(JSON.parse(Buffer.concat(pieces).toString("utf8")));
  } catch {
    throw damagedMember(file, name);
  }
}

export async function checkArchive(
  file: string,
  onProgress: OnProgress,
  stage = "Checking the archive",
): Promise<Contents & { readonly schema: DatabaseSchema }> {
  const reader = await readArchive(file);
  try {
    let missingFiles: string[] = [];
    let schema: DatabaseSchema | undefined;
    for await (const member of reader.members()) {
      const table = tableOf(member.name);
      if (member.name === SCHEMA) schema = await readJson(file, member, schemaSchema);
      else if (member.name === MISSING_FILES) missingFiles = await readJson(file, member, missingFilesSchema);
      else if (table !== undefined) {
        for await (const piece of unpacked(file, member)) addRows(reader.tally, table, countRows(piece));
      }
      onProgress({ stage, done: reader.tally.bytes, total: reader.size });
    }
    if (!schema) throw damagedMember(file, SCHEMA);
    const { tally, about, size } = reader;
    return { about, rows: sumOf(tally.rows.values()), files: tally.files, bytes: size, missingFiles, schema };
  } finally {
    await reader.close();
  }
}
