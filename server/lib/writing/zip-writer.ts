// Writes a ZIP file as it goes: entries are deflated on their way, sizes follow their data, and nothing is held but the
// list of entries. Archives past 4 GiB get the ZIP64 ending; a single entry must stay below that.
import { pipeline, Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";

export interface ZipEntry {
  readonly name: string;
  readonly content: AsyncIterable<string> | Iterable<string>;
}

interface Written {
  readonly name: Buffer;
  readonly offset: number;
  readonly crc: number;
  readonly size: number;
  readonly packed: number;
}

const MOST_32 = 0xffff_ffff;
/** Sizes after the data, UTF-8 names. */
const FLAGS = 0x0808;
const DEFLATE = 8;
/** 1980-01-01: the same rows give the same bytes. */
const DAY = 0x0021;

export async function* writeZip(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Buffer, void> {
  const written: Written[] = [];
  let offset = 0;
  for await (const entry of entries) {
    const start = offset;
    const name = Buffer.from(entry.name);
    const head = fields(
      [4, 0x0403_4b50],
      [2, 20],
      [2, FLAGS],
      [2, DEFLATE],
      [2, 0],
      [2, DAY],
      [4, 0],
      [4, 0],
      [4, 0],
      [2, name.length],
      [2, 0],
    );
    yield Buffer.concat([head, name]);
    offset += head.length + name.length;
    const tally = { crc: 0, size: 0 };
    let packed = 0;
    for await (const chunk of deflated(entry.content, tally)) {
      packed += chunk.length;
      yield chunk;
    }
    if (tally.size > MOST_32 || packed > MOST_32) throw new Error(`${entry.name} is too large for its archive`);
    const sizes = fields([4, 0x0807_4b50], [4, tally.crc], [4, packed], [4, tally.size]);
    yield sizes;
    offset += packed + sizes.length;
    written.push({ name, offset: start, crc: tally.crc, size: tally.size, packed });
  }
  yield directory(written, offset);
}

async function* deflated(
  content: ZipEntry["content"],
  tally: { crc: number; size: number },
): AsyncGenerator<Buffer, void> {
  const counted = async function* () {
    for await (const text of content) {
      const bytes = Buffer.from(text);
      tally.crc = crc32(bytes, tally.crc);
      tally.size += bytes.length;
      yield bytes;
    }
  };
  const deflate = createDeflateRaw({ level: 4 });
  // A fault of the source destroys `deflate` with it and is thrown below; leaving early destroys both.
  pipeline(Readable.from(counted(), { objectMode: true, highWaterMark: 1 }), deflate, () => undefined);
  yield* deflate;
}

function directory(written: readonly Written[], start: number): Buffer {
  const parts: Buffer[] = [];
  for (const { name, offset, crc, size, packed } of written) {
    const far = offset > MOST_32;
    const extra = far ? fields([2, 1], [2, 8], [8, offset]) : Buffer.alloc(0);
    parts.push(
      fields(
        [4, 0x0201_4b50],
        [2, far ? 45 : 20],
        [2, far ? 45 : 20],
        [2, FLAGS],
        [2, DEFLATE],
        [2, 0],
        [2, DAY],
        [4, crc],
        [4, packed],
        [4, size],
        [2, name.length],
        [2, extra.length],
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, far ? MOST_32 : offset],
      ),
      name,
      extra,
    );
  }
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const count = written.length;
  if (start > MOST_32) {
    parts.push(
      fields(
        [4, 0x0606_4b50],
        [8, 44],
        [2, 45],
        [2, 45],
        [4, 0],
        [4, 0],
        [8, count],
        [8, count],
        [8, size],
        [8, start],
      ),
      fields([4, 0x0706_4b50], [4, 0], [8, start + size], [4, 1]),
    );
  }
  parts.push(
    fields([4, 0x0605_4b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, Math.min(start, MOST_32)], [2, 0]),
  );
  return Buffer.concat(parts);
}

/** Little-endian numbers of the given widths. */
function fields(...given: readonly (readonly [width: 2 | 4 | 8, value: number])[]): Buffer {
  const bytes = Buffer.alloc(given.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of given) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, width);
    at += width;
  }
  return bytes;
}
