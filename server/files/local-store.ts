// Keeps files in a folder: written aside, flushed to the disk, then renamed, so that a key names a whole file or none.
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { checkStorageKey, type FileStore } from "./file-store.ts";

const PIECE_BYTES = 512 * 1024;

export function localStore(root: string): FileStore {
  // Two letters make 256 folders: none of them gets too long to list.
  const place = (key: string) => path.join(root, checkStorageKey(key).slice(0, 2), key);
  const missing = (error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  };
  return {
    put: async (key, source) => {
      const target = place(key);
      const aside = path.join(root, `${checkStorageKey(key)}.part`);
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
      try {
        const file = await open(aside, "w", 0o600);
        try {
          for await (const chunk of createReadStream(source, { highWaterMark: PIECE_BYTES }))
            await file.writeFile(chunk);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(aside, target);
      } catch (error) {
        await rm(aside, { force: true });
        throw error;
      }
      await syncFolder(path.dirname(target));
    },
    get: async (key, range) => {
      const file = await open(place(key), "r").catch(missing);
      return file?.createReadStream(range ? { start: range.start, end: range.end } : {});
    },
    stat: async (key) => (await stat(place(key)).catch(missing))?.size,
    remove: async (key) => {
      await rm(place(key), { force: true });
    },
  };
}

/** A rename is on the disk once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes what a crash left half written. */
export async function removeHalfWritten(root: string, olderThan = 60 * 60 * 1000): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    if (!name.endsWith(".part")) continue;
    const file = path.join(root, name);
    const found = await stat(file).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > olderThan) await rm(file, { force: true });
  }
}
