// Takes the bytes of a multipart/form-data body as they arrive, however they are cut; gives its parts as events.
// Holds no more than one chunk and one part's headers; a body that ends early or breaks the format is a failure.

import { Failure } from "../../contract/failures.ts";
import { type Message, say } from "../../contract/messages.ts";
import { decodeText } from "./body.ts";
import { limits } from "./limits.ts";
import { parseParameterized } from "./media-type.ts";

export interface Part {
  readonly name: string;
  /** Present on files; empty when a form's file input was left empty. */
  readonly fileName: string | undefined;
  readonly mimeType: string;
}

export type MultipartEvent =
  | { readonly kind: "part"; readonly part: Part }
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "end" };

const LINE_END = Buffer.from("\r\n");
const HEADERS_END = Buffer.from("\r\n\r\n");

type State = "preamble" | "delimiter" | "headers" | "content" | "done";

export async function* parseMultipart(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<MultipartEvent> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter may stand at the very start, without the line end that precedes all others.
  let held: Buffer = LINE_END;
  let state: State = "preamble";

  /** Takes one step if the held bytes allow it; gives undefined when more must arrive first. */
  function step(): MultipartEvent[] | undefined {
    if (state === "delimiter") {
      const end = delimiterEnd(held);
      if (end === undefined) return undefined;
      state = end === "last" ? "done" : "headers";
      held = held.subarray(end === "last" ? held.length : end);
      return [];
    }
    if (state === "headers") {
      const end = held.indexOf(HEADERS_END);
      if ((end === -1 ? held.length : end) > limits.partHeaderBytes) throw malformed(say("part_headers"));
      if (end === -1) return undefined;
      const part = parseHeaders(decodeText(held.subarray(0, end)));
      held = held.subarray(end + HEADERS_END.length);
      state = "content";
      return [{ kind: "part", part }];
    }
    const found = held.indexOf(delimiter);
    // Without a match, what could be the start of a delimiter stays held.
    const safe = found === -1 ? Math.max(0, held.length - delimiter.length + 1) : found;
    const events: MultipartEvent[] = [];
    if (state === "content") {
      if (safe > 0) events.push({ kind: "bytes", bytes: held.subarray(0, safe) });
      if (found !== -1) events.push({ kind: "end" });
    }
    held = held.subarray(found === -1 ? safe : found + delimiter.length);
    if (found !== -1) state = "delimiter";
    return found === -1 && events.length === 0 ? undefined : events;
  }

  for await (const chunk of chunks) {
    if (isDone(state)) continue;
    held = Buffer.concat([held, chunk]);
    for (let events = step(); events !== undefined; events = isDone(state) ? undefined : step()) yield* events;
  }
  if (!isDone(state)) throw malformed(say("body_cut"));
}

// A function, because the compiler does not see that step() moves the state.
const isDone = (state: State): boolean => state === "done";

/** After a delimiter: `--` ends the body; else the line ends, perhaps after padding. Gives where that line end starts. */
function delimiterEnd(held: Buffer): number | "last" | undefined {
  if (held.length < 2) return undefined;
  if (held[0] === 0x2d && held[1] === 0x2d) return "last";
  let at = 0;
  while (held[at] === 0x20 || held[at] === 0x09) at += 1;
  if (at > 64) throw malformed(say("bad_boundary_line"));
  if (held.length < at + 2) return undefined;
  if (held[at] !== 0x0d || held[at + 1] !== 0x0a) throw malformed(say("bad_boundary_line"));
  return at;
}

function parseHeaders(text: string): Part {
  const headers = new Map<string, string>();
  for (const line of text.split("\r\n").filter(Boolean)) {
    const colon = line.indexOf(":");
    if (colon < 1) throw malformed(say("bad_part_header"));
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const { value, parameters } = parseParameterized(headers.get("content-disposition") ?? "");
  const name = parameters.get("name");
  if (value !== "form-data" || name === undefined) throw malformed(say("part_without_name"));
  const encoding = headers.get("content-transfer-encoding")?.toLowerCase() ?? "binary";
  if (!["7bit", "8bit", "binary"].includes(encoding)) throw malformed(say("part_encoding"));
  const type = parseParameterized(headers.get("content-type") ?? "text/plain");
  const charset = type.parameters.get("charset")?.toLowerCase() ?? "utf-8";
  const fileName = extendedFileName(parameters.get("filename*")) ?? parameters.get("filename");
  if (fileName === undefined && !["utf-8", "utf8", "us-ascii"].includes(charset)) {
    throw malformed(say("part_charset"));
  }
  return {
    name: unescapeName(name),
    fileName: fileName === undefined ? undefined : baseName(unescapeName(fileName)),
    mimeType: /^[\w.+-]+\/[\w.+-]+$/.test(type.value) ? type.value : "application/octet-stream",
  };
}

/** `UTF-8''na%C3%AFve.txt` (RFC 5987), as some libraries send it. */
function extendedFileName(value: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? "")?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw malformed(say("bad_file_name"));
  }
}

/** Browsers write quotes and line ends in names as these three codes, and nothing else. */
function unescapeName(name: string): string {
  return name.replace(/%(22|0[da])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function baseName(fileName: string): string {
  const name = fileName.split(/[/\\]/).at(-1) ?? "";
  return name
    .replace(/\p{Cc}/gu, "")
    .slice(0, 255)
    .toWellFormed();
}

const malformed = (reason: Message) => new Failure("malformed_body", { with: { reason } });
