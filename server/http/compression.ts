// Which encoding an answer is sent in, and how it gets there. Never what is compressed already, never an answer that holds
// a secret beside a text that somebody else may have written: its length would tell of the secret (BREACH).

import type { Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from "node:zlib";

export type Encoding = "br" | "gzip";

/** Below this the head of a packet costs more than is saved. */
const WORTH_IT = 1_400;

const compressible = /^(?:application\/json|text\/)/u;

/** The best that the client takes, by its own order where it states one. */
export function encodingFor(
  acceptEncoding: string | undefined,
  contentType: string,
  size: number,
): Encoding | undefined {
  if (acceptEncoding === undefined || size < WORTH_IT || !compressible.test(contentType)) return undefined;
  const accepted = acceptedEncodings(acceptEncoding);
  const [br, gz] = [accepted("br"), accepted("gzip")];
  if (br === 0 && gz === 0) return undefined;
  return br >= gz ? "br" : "gzip";
}

/** Longer than any client sends, shorter than anything that could hurt. */
const MOST_CODINGS = 20;

function acceptedEncodings(header: string): (name: string) => number {
  const weights = new Map<string, number>();
  for (const part of header.slice(0, 500).split(",", MOST_CODINGS)) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const given = parameters.find((text) => text.startsWith("q="))?.slice(2);
    const weight = given === undefined ? 1 : Number(given);
    if (name !== "") weights.set(name, weight >= 0 && weight <= 1 ? weight : 0);
  }
  const other = weights.get("*") ?? 0;
  return (name) => weights.get(name) ?? other;
}

const brotli = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};
const deflate = { level: 4 };

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Up to here handing it to another thread costs two to four times what compressing it does (0.1 ms). */
const AT_ONCE = 16 * 1024;

export async function compressed(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const isSmall = bytes.length <= AT_ONCE;
  if (encoding === "gzip") return isSmall ? gzipSync(bytes, deflate) : toGzip(bytes, deflate);
  const options = { params: { ...brotli.params, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
  return isSmall ? brotliCompressSync(bytes, options) : toBrotli(bytes, options);
}

export const compressor = (encoding: Encoding): Transform =>
  encoding === "br" ? createBrotliCompress(brotli) : createGzip(deflate);

const kept = new WeakMap<object, Map<Encoding, Promise<Buffer>>>();

/** For what is sent again and again: the bytes that it always comes to, compressed once, and kept for as long as it is. */
export function compressedOnce(what: object, bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const known = kept.get(what) ?? new Map<Encoding, Promise<Buffer>>();
  kept.set(what, known);
  const done = known.get(encoding) ?? compressed(bytes, encoding);
  known.set(encoding, done);
  return done;
}
