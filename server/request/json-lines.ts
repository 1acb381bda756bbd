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
  let rest = "";
  let number = 0;
  const decode = (piece?: Uint8Array): string => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
    } catch (cause) {
      throw new Failure("malformed_body", { with: { reason: say("bad_utf8") }, cause });
    }
  };
  for await (const piece of bytes) {
    const lines = (rest + decode(piece)).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      if (text.trim() !== "") yield { number: number++, text };
    }
    if (rest.length > limits.bodyBytes)
      throw new Failure("too_large", { with: { limit: inMebibytes(limits.bodyBytes) } });
  }
  rest += decode();
  if (rest.trim() !== "") yield { number, text: rest };
}
