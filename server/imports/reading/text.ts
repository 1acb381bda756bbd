// Takes a text file and its encoding; gives its text in pieces. Finds out which encoding it is, reading it once.
import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { say } from "../../../contract/messages.ts";
import { checkTime, type Dialect, inLine } from "./unreadable.ts";

type Encoding = Dialect["encoding"];

/** Texts that are longer are large objects to the engine: they stay until the whole heap is swept. */
const PIECE = 64 * 1024;

export async function* readText(path: string, encoding: Encoding): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let lines = 1;
  for await (const bytes of createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
    checkTime();
    yield decoded(() => decoder.decode(bytes, { stream: true }), lines, encoding);
    lines += newLines(bytes);
  }
  yield decoded(() => decoder.decode(), lines, encoding);
}

function decoded(decode: () => string, line: number, encoding: Encoding): string {
  try {
    const text = decode();
    const nul = text.indexOf("\0");
    if (nul === -1) return text;
    throw inLine(line + newLines(Buffer.from(text.slice(0, nul))), say("import_has_nul"));
  } catch (error) {
    if (error instanceof TypeError) throw inLine(line, say("import_wrong_encoding", { encoding }), error);
    throw error;
  }
}

function newLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

/** By its first bytes, else by whether all of it is valid UTF-8. */
export async function findEncoding(path: string, head: Buffer): Promise<Encoding> {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  const zeros = (from: 0 | 1) => {
    let count = 0;
    for (let at = from; at < head.length; at += 2) if (head[at] === 0) count += 1;
    return count;
  };
  // Latin letters in two bytes: every other one is zero.
  const most = head.length * 0.3;
  if (head.length >= 4 && zeros(1) > most && zeros(0) === 0) return "utf-16le";
  if (head.length >= 4 && zeros(0) > most && zeros(1) === 0) return "utf-16be";
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
    checkTime();
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const end = wholeCharacters(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return "windows-1252";
    rest = bytes.subarray(end);
  }
  return isUtf8(rest) ? "utf-8" : "windows-1252";
}

/** Up to where no character of UTF-8 is cut in two. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
