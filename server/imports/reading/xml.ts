// Feeds a part of a workbook to a parser as it is unpacked. The parser gathers all that stands between two tags before it tells
// of any of it, and remembers each open tag: how much that is, is bounded here.
import type { Readable } from "node:stream";
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { say } from "../../../contract/messages.ts";
import { checkTime, limits, UnreadableFile } from "./unreadable.ts";

export interface XmlEvents {
  readonly opened: (tag: SaxesTagPlain) => void;
  readonly text?: (piece: string) => void;
  readonly closed?: (tag: SaxesTagPlain) => void;
  /** Where too much stands between two tags: what is said of it, if there is a place to tell. */
  readonly tooLong?: () => UnreadableFile | undefined;
}

const tooLarge = () => new UnreadableFile(say("import_unpacks_too_large"));

/** Yields after each piece that was fed: what the events brought can be taken then. */
export async function* parseXml(
  stream: Readable,
  { opened, text, closed, tooLong }: XmlEvents,
): AsyncGenerator<number, void> {
  const parser = new SaxesParser();
  /** Fed since the last tag. */
  let gathered = 0;
  let depth = 0;
  let attributes = 0;
  // All of a tag's are held until it ends.
  parser.on("attribute", () => {
    attributes += 1;
    if (attributes > limits.attributes) throw tooLarge();
  });
  parser.on("opentag", (tag) => {
    gathered = 0;
    attributes = 0;
    depth += 1;
    if (depth > limits.depth) throw tooLarge();
    opened(tag);
  });
  if (text) parser.on("text", text);
  parser.on("closetag", (tag) => {
    gathered = 0;
    depth -= 1;
    closed?.(tag);
  });
  const decoder = new TextDecoder();
  for await (const piece of stream as AsyncIterable<Buffer>) {
    checkTime();
    gathered += piece.length;
    if (gathered > limits.betweenTags) throw tooLong?.() ?? tooLarge();
    parser.write(decoder.decode(piece, { stream: true }));
    yield piece.length;
  }
  parser.close();
}
