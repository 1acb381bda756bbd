// Takes pieces of bytes as they are made; gives them to a reader at the reader's own pace, while the making goes on at its
// own: a little in memory, the rest in a file that has no name and is written round and round, so that it never takes more
// than `diskBytes`. Only a reader far behind holds the maker up.
import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import path from "node:path";

export interface SpoolLimits {
  readonly folder: string;
  readonly memoryBytes: number;
  readonly diskBytes: number;
}

const READ_BYTES = 256 * 1024;

export async function* spooled(
  pieces: AsyncIterable<string | Uint8Array>,
  { folder, memoryBytes, diskBytes }: SpoolLimits,
): AsyncGenerator<Buffer, void> {
  const memory: Buffer[] = [];
  let inMemory = 0;
  let file: FileHandle | undefined;
  let written = 0;
  let read = 0;
  let ended = false;
  let stopped = false;
  let failure: unknown;
  const { changed, tell } = bell();

  const make = async (): Promise<void> => {
    try {
      for await (const piece of pieces) {
        if (stopped) return;
        const bytes =
          typeof piece === "string"
            ? Buffer.from(piece)
            : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
        // What comes after something that is in the file must come after it in reading too.
        if (!file && inMemory + bytes.length <= memoryBytes) {
          memory.push(bytes);
          inMemory += bytes.length;
        } else {
          file ??= await openNameless(folder);
          for (let at = 0; at < bytes.length && !stopped; ) {
            const place = written % diskBytes;
            const length = Math.min(bytes.length - at, diskBytes - place, diskBytes - (written - read));
            if (length === 0) await changed();
            else {
              const { bytesWritten } = await file.write(bytes, at, length, place);
              at += bytesWritten;
              written += bytesWritten;
              tell();
            }
          }
        }
        tell();
      }
    } catch (error) {
      failure = error;
    } finally {
      ended = true;
      tell();
    }
  };

  const making = make();
  try {
    for (;;) {
      const piece = memory.shift();
      if (piece) {
        inMemory -= piece.length;
        yield piece;
      } else if (file && read < written) {
        const place = read % diskBytes;
        const bytes = Buffer.allocUnsafe(Math.min(READ_BYTES, written - read, diskBytes - place));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, place);
        read += bytesRead;
        tell();
        yield bytes.subarray(0, bytesRead);
      } else if (failure !== undefined) throw failure;
      else if (ended) return;
      else await changed();
    }
  } finally {
    stopped = true;
    tell();
    await making;
    await file?.close();
  }
}

/** Whatever becomes of the process, nothing is left of it. */
export async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = path.join(folder, randomUUID());
  const file = await open(name, "wx+", 0o600);
  await unlink(name);
  return file;
}

/** Something to wait for that happens again and again. */
function bell(): { readonly changed: () => Promise<void>; readonly tell: () => void } {
  let waiting: (() => void)[] = [];
  return {
    changed: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
      }),
    tell: () => {
      const all = waiting;
      waiting = [];
      for (const resolve of all) resolve();
    },
  };
}
