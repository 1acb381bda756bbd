// Takes a text file and its encoding; gives its text in pieces. Finds out which encoding it is, reading it once.
import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { type Message, say } from "../../../contract/messages.ts";
import { checkTime, type Dialect, inCell, type UnreadableFile } from "./unreadable.ts";

type Encoding = Dialect["encoding"];

/** Texts that are longer are large objects to the engine: they stay until the whole heap is swept. */
const PIECE = 64 * 1024;

export async function* readText(path: string, encoding: Encoding): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  /** Where the next piece begins, and what of a character stands before it. */
  let place = { line: 1, column: 1 };
  let rest: Buffer = Buffer.alloc(0);
  const taken = (text: string): string => {
    const nul = text.indexOf("\0");
    if (nul !== -1) throw at(passed(place, text.slice(0, nul)), say("import_has_nul"));
    place = passed(place, text);
    return text;
  };
  const wrong = (bytes: Buffer, error: unknown): unknown =>
    error instanceof TypeError
      ? at(passed(place, validText(Buffer.concat([rest, bytes]), encoding)), say("import_wrong_encoding", { encoding }))
      : error;
  for await (const bytes of createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
    checkTime();
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: true });
    } catch (error) {
      throw wrong(bytes, error);
    }
    yield taken(text);
    rest = bytes.subarray(wholeCharacters(bytes, encoding));
  }
  try {
    decoder.decode();
  } catch (error) {
    throw wrong(Buffer.alloc(0), error);
  }
}

type Place = { readonly line: number; readonly column: number };

const at = ({ line, column }: Place, reason: Message): UnreadableFile => inCell(line, column, reason);

/** After a text that begins there. */
function passed({ line, column }: Place, text: string): Place {
  let [lines, start] = [0, 0];
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    lines += 1;
    start = end + 1;
  }
  return { line: line + lines, column: lines === 0 ? column + text.length : text.length - start + 1 };
}

/** Up to the first byte that does not fit. */
function validText(bytes: Buffer, encoding: Encoding): string {
  const decode = (end: number) =>
    new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(0, end), { stream: true });
  let [good, bad] = [0, bytes.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    try {
      decode(middle);
      good = middle;
    } catch {
      bad = middle;
    }
  }
  return decode(good);
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
    const end = wholeCharacters(bytes, "utf-8");
    if (!isUtf8(bytes.subarray(0, end))) return "windows-1252";
    rest = bytes.subarray(end);
  }
  return isUtf8(rest) ? "utf-8" : "windows-1252";
}

/** Up to where no character is cut in two. */
function wholeCharacters(bytes: Buffer, encoding: Encoding): number {
  if (encoding === "windows-1252") return bytes.length;
  if (encoding !== "utf-8") {
    const unit = bytes[bytes.length - (encoding === "utf-16le" ? 1 : 2)] ?? 0;
    return unit >= 0xd8 && unit <= 0xdb ? bytes.length - 2 : bytes.length;
  }
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
