// Takes members one after the other; writes them as a tar beside the final name, with their digests and a last member
// that tells what is in it. Nothing is held but the piece under way.
import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { syncFolder } from "../database/embedded/secret.ts";
import { END_BYTES, keyOf, LAST, lastText, newTally, SUMS_EVERY, sumLine, sumsName, type Tally } from "./archive.ts";
import { BackupFault, fileFault } from "./faults.ts";
import { paddingOf, tarHeader } from "./tar.ts";

export interface Sink {
  write(bytes: Buffer): Promise<void>;
  /** Everything is on the disk when this is over. */
  close(): Promise<void>;
}

export interface ArchiveWriter {
  readonly tally: Tally;
  add(name: string, body: Buffer | string): Promise<void>;
  /** A body of exactly this size. */
  addStream(name: string, size: number, body: AsyncIterable<Buffer>): Promise<void>;
  end(): Promise<void>;
}

const BUFFERED = 1024 * 1024;

export function writeArchive(sink: Sink): ArchiveWriter {
  const tally = newTally();
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let sums = "";
  let summed = 0;
  let sumParts = 0;

  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    await sink.write(bytes);
  };
  const put = async (bytes: Buffer): Promise<void> => {
    tally.hash.update(bytes);
    tally.bytes += bytes.length;
    waiting.push(bytes);
    waitingBytes += bytes.length;
    if (waitingBytes >= BUFFERED) await flush();
  };

  const member = async (
    name: string,
    size: number,
    body: AsyncIterable<Buffer> | Iterable<Buffer>,
  ): Promise<string> => {
    await put(tarHeader({ name, size }));
    const hash = createHash("sha256");
    let got = 0;
    for await (const piece of body) {
      got += piece.length;
      if (got > size) break;
      hash.update(piece);
      await put(piece);
    }
    if (got !== size) throw new BackupFault(`${name} changed while it was read; try again.`);
    await put(Buffer.alloc(paddingOf(size)));
    tally.members += 1;
    return hash.digest("hex");
  };

  const writeSums = async (): Promise<void> => {
    if (summed === 0) return;
    const body = Buffer.from(sums);
    sumParts += 1;
    sums = "";
    summed = 0;
    await member(sumsName(sumParts), body.length, [body]);
  };

  const addStream: ArchiveWriter["addStream"] = async (name, size, body) => {
    const digest = await member(name, size, body);
    if (keyOf(name) !== undefined) {
      tally.files += 1;
      tally.fileBytes += size;
    }
    sums += sumLine(digest, name);
    summed += 1;
    if (summed >= SUMS_EVERY) await writeSums();
  };

  return {
    tally,
    addStream,
    add: (name, body) => {
      const bytes = typeof body === "string" ? Buffer.from(body) : body;
      return addStream(name, bytes.length, pieces(bytes));
    },
    end: async () => {
      await writeSums();
      const last = Buffer.from(lastText(tally));
      await member(LAST, last.length, [last]);
      await put(Buffer.alloc(END_BYTES));
      await flush();
      await sink.close();
    },
  };
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** A new file that its owner alone may read. */
export async function fileSink(file: string): Promise<Sink> {
  const handle = await open(file, "w", 0o600);
  return {
    write: (bytes) => handle.writeFile(bytes),
    close: async () => {
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
}

/** Beside the final name until it is whole and was read again. */
export const draftOf = (file: string): string => `${file}.part`;

/** Has `work` fill a new file and gives it its final name after that; what fails leaves nothing behind. */
export async function intoNewFile<T>(
  file: string,
  work: (sink: Sink, draft: string) => Promise<T>,
  openSink: (draft: string) => Promise<Sink> = fileSink,
): Promise<T> {
  const draft = draftOf(file);
  let sink: Sink | undefined;
  try {
    sink = await openSink(draft);
    const result = await work(sink, draft);
    await rename(draft, file);
    syncFolder(path.dirname(file));
    return result;
  } catch (error) {
    await sink?.close().catch(() => undefined);
    await rm(draft, { force: true }).catch(() => undefined);
    throw fileFault(error, `${file} was not written`);
  }
}
