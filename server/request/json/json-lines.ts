// Takes the bytes of a body of JSON lines as they come; gives each line that is not empty with its number, from 0, and the line
// that it is in the body, from 1. Never holds more than a line and a piece.
import { Failure } from "../../../contract/failures.ts";
import { type Message, say } from "../../../contract/messages.ts";
import { inMebibytes, limits } from "../limits.ts";

export interface NumberedLine {
  readonly number: number;
  readonly line: number;
  readonly text: string;
}

const FEED = 10;
const USUAL = 64 * 1024;

export async function* numberedLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  /** Of a line whose end has not come yet. It grows by doubling: whoever sends byte by byte costs no more than others. */
  let begun = new Uint8Array(USUAL);
  let length = 0;
  let line = 1;
  let number = 0;
  const unreadable = (reason: Message, cause?: unknown): Failure =>
    new Failure("malformed_body", { with: { reason: say("import_in_line", { line, reason }) }, cause });
  const hold = (part: Uint8Array): void => {
    const needed = length + part.length;
    if (needed > limits.bodyBytes) throw unreadable(say("line_too_large", { limit: inMebibytes(limits.bodyBytes) }));
    if (needed > begun.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * begun.length));
      larger.set(begun.subarray(0, length));
      begun = larger;
    }
    begun.set(part, length);
    length = needed;
  };
  const textOf = (part: Uint8Array): string => {
    // What came in one piece is not copied.
    if (length > 0 || part.length > limits.bodyBytes) hold(part);
    const whole = length > 0 ? begun.subarray(0, length) : part;
    try {
      return decoder.decode(whole);
    } catch (cause) {
      throw unreadable(say("bad_utf8"), cause);
    }
  };
  const next = (part: Uint8Array): NumberedLine | undefined => {
    const text = textOf(part);
    length = 0;
    if (begun.length > USUAL) begun = new Uint8Array(USUAL);
    const own = line++;
    return text.trim() === "" ? undefined : { number: number++, line: own, text };
  };
  for await (const piece of bytes) {
    let from = 0;
    for (let end = piece.indexOf(FEED); end !== -1; end = piece.indexOf(FEED, from)) {
      const one = next(piece.subarray(from, end));
      from = end + 1;
      if (one) yield one;
    }
    hold(piece.subarray(from));
  }
  const last = next(new Uint8Array(0));
  if (last) yield last;
}
