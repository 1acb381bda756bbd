// Takes the bytes of a keep-alive connection; tells where each answer ends and what its status is. Reads nothing of the
// body but its length, so that the load costs the machine as little as possible.

export interface Answer {
  readonly status: number;
  /** Of the body. */
  readonly bytes: number;
  /** The beginning of the body of a failure, to be told. */
  readonly text: string;
}

const HEADER_END = Buffer.from("\r\n\r\n");
const TOLD = 300;

type State =
  | { readonly kind: "header" }
  | { readonly kind: "body"; left: number }
  /** Chunked: the size line, its bytes with the line break after them, and the empty line at the end. */
  | { readonly kind: "size" }
  | { readonly kind: "chunk"; left: number; readonly last: boolean };

export function createResponseReader(onAnswer: (answer: Answer) => void): (chunk: Buffer) => void {
  let state: State = { kind: "header" };
  let rest: Buffer | undefined;
  let status = 0;
  let bytes = 0;
  let text = "";

  const finish = (): void => {
    state = { kind: "header" };
    const answer = { status, bytes, text };
    bytes = 0;
    text = "";
    onAnswer(answer);
  };

  const take = (chunk: Buffer, at: number, left: number): number => {
    const taken = Math.min(left, chunk.length - at);
    if (status >= 400 && text.length < TOLD) text += chunk.toString("utf8", at, Math.min(at + taken, at + TOLD));
    return taken;
  };

  /** Gives where the header ended, or -1 where it goes on in the next chunk. */
  const header = (chunk: Buffer, at: number): number => {
    const end = chunk.indexOf(HEADER_END, at);
    if (end < 0) return -1;
    const lines = chunk.toString("latin1", at, end);
    status = Number(lines.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(lines)?.[1];
    if (length !== undefined) state = { kind: "body", left: Number(length) };
    else if (/\r\ntransfer-encoding: *chunked/i.test(lines)) state = { kind: "size" };
    else state = { kind: "body", left: 0 };
    if (state.kind === "body" && state.left === 0) finish();
    return end + HEADER_END.length;
  };

  const size = (chunk: Buffer, at: number): number => {
    const end = chunk.indexOf("\r\n", at, "latin1");
    if (end < 0) return -1;
    const length = Number.parseInt(chunk.toString("latin1", at, end), 16);
    bytes += length;
    state = { kind: "chunk", left: length + 2, last: length === 0 };
    return end + 2;
  };

  return (received) => {
    const chunk = rest ? Buffer.concat([rest, received]) : received;
    rest = undefined;
    let at = 0;
    while (at < chunk.length) {
      if (state.kind === "header" || state.kind === "size") {
        const next = state.kind === "header" ? header(chunk, at) : size(chunk, at);
        if (next < 0) {
          rest = chunk.subarray(at);
          return;
        }
        at = next;
        continue;
      }
      const taken = take(chunk, at, state.left);
      at += taken;
      state.left -= taken;
      if (state.kind === "body") bytes += taken;
      if (state.left > 0) return;
      if (state.kind === "body" || state.last) finish();
      else state = { kind: "size" };
    }
  };
}
