// Takes the content of an answer; sends it compressed where the client takes that and it may be, in pieces where it is
// large. A client that takes no piece for too long is disconnected: what is held for it is somebody else's room.
import { pipeline, Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { hold, type Scope, UNCOUNTED_BYTES } from "../database/scope.ts";
import { compressed, compressedOnce, compressor, type Encoding, encodingFor } from "./compression.ts";

const PIECE = 256 * 1024;

export interface Sending {
  readonly scope: Scope;
  /** How long a client may take for one piece; a socket that takes nothing for so long is closed. */
  readonly readerMs: number;
  readonly acceptEncoding: string | undefined;
  readonly contentType: string;
  /** The answer may be compressed at all. */
  readonly compress: boolean;
  /** What will be sent again, in the same bytes. */
  readonly lasting: object | undefined;
}

export async function sendBody(reply: FastifyReply, content: string | Buffer | Readable, sending: Sending) {
  const { readerMs, scope, acceptEncoding, contentType, compress, lasting } = sending;
  reply.raw.setTimeout(readerMs, () => reply.raw.destroy());
  const size = content instanceof Readable ? Number.POSITIVE_INFINITY : Buffer.byteLength(content);
  const encoding = compress ? encodingFor(acceptEncoding, contentType, size) : undefined;
  if (compress) vary(reply);
  if (encoding) announce(reply, encoding);
  if (content instanceof Readable) return reply.send(piped(reply, content, sending, encoding));
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  if (size <= UNCOUNTED_BYTES) {
    if (!encoding) return reply.send(content);
    return reply.send(await (lasting ? compressedOnce(lasting, bytes, encoding) : compressed(bytes, encoding)));
  }
  const refused = hold(scope, size);
  if (refused) throw refused;
  if (!encoding) reply.header("content-length", size);
  return reply.send(
    piped(reply, Readable.from(slices(bytes), { objectMode: true, highWaterMark: 1 }), sending, encoding),
  );
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

function piped(
  reply: FastifyReply,
  content: Readable,
  { readerMs }: Sending,
  encoding: Encoding | undefined,
): Readable {
  // The stream itself tells of faults; this one only sees to it that what one end does, the other hears of.
  const quiet = () => undefined;
  const giveUp = () => reply.raw.destroy();
  const paced = Readable.from(inTime(content, readerMs, giveUp), { objectMode: true, highWaterMark: 1 });
  // What was never begun is not ended by its own end; and what waits for its next piece hears at once that nobody reads it any more.
  paced.once("close", () => content.destroy());
  reply.raw.once("close", () => content.destroy());
  return encoding ? (pipeline(paced, compressor(encoding), quiet) as unknown as Readable) : paced;
}

async function* inTime<Piece>(
  pieces: AsyncIterable<Piece>,
  readerMs: number,
  giveUp: () => void,
): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    const timer = setTimeout(giveUp, readerMs).unref();
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
  }
}

function announce(reply: FastifyReply, encoding: Encoding): void {
  reply.header("content-encoding", encoding).removeHeader("content-length");
  // The same answer in other bytes: equal in meaning alone.
  const etag = reply.getHeader("etag");
  if (typeof etag === "string" && !etag.startsWith("W/")) reply.header("etag", `W/${etag}`);
}

function vary(reply: FastifyReply): void {
  const before = reply.getHeader("vary");
  const names = before === undefined ? [] : String(before).split(/, */u);
  if (!names.some((name) => name.toLowerCase() === "accept-encoding")) {
    reply.header("vary", [...names, "Accept-Encoding"].join(", "));
  }
}
