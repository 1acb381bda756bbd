// Takes the bytes of a body of JSON lines as they come; gives each line with its number, from 0. Never holds more than a line.
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { inMebibytes, limits } from "./limits.ts";

export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

export async function* numberedLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  /** Of a line whose end has not come yet: put together once, however small the pieces are. */
  let begun: string[] = [];
  let length = 0;
  let number = 0;
  const decode = (piece?: Uint8Array): string => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
    } catch (cause) {
      throw new Failure("malformed_body", { with: { reason: say("bad_utf8") }, cause });
    }
  };
  const add = (text: string): void => {
    begun.push(text);
    length += text.length;
    if (length > limits.bodyBytes) throw new Failure("too_large", { with: { limit: inMebibytes(limits.bodyBytes) } });
  };
  for await (const piece of bytes) {
    const [first = "", ...others] = decode(piece).split("\n");
    add(first);
    for (const next of others) {
      const text = begun.join("");
      begun = [];
      length = 0;
      if (text.trim() !== "") yield { number: number++, text };
      add(next);
    }
  }
  add(decode());
  const text = begun.join("");
  if (text.trim() !== "") yield { number, text };
}
