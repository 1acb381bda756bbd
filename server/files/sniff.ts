// Takes the first bytes of a file; gives its media type by what it contains, never by what it is called. What is not
// recognized is plain text or just bytes. Pure.
import { fileTypeFromBuffer } from "file-type";

/** How much of a file it takes to tell. */
export const SNIFF_BYTES = 4_100;

export async function sniff(head: Uint8Array): Promise<string> {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  // Two letters at the start of a sentence ("BM", "MZ") prove nothing: text is told apart first.
  if (isText(bytes)) return textKind(bytes);
  return (await fileTypeFromBuffer(bytes))?.mime ?? "application/octet-stream";
}

function isText(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte)) return false;
  // The last character may be cut where the sample ends.
  for (let cut = 0; cut < 4; cut += 1) {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, bytes.length - cut));
      return true;
    } catch {
      if (bytes.length < SNIFF_BYTES) return false;
    }
  }
  return false;
}

/** What a browser would run or draw is told apart, so that it is never shown where it could. */
function textKind(bytes: Buffer): string {
  const start = bytes
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart()
    .slice(0, 1_000)
    .toLowerCase();
  if (start.startsWith("%pdf-")) return "application/pdf";
  const element = firstElement(start);
  if (/^<svg[\s>]/.test(element)) return "image/svg+xml";
  const html = /^<(?:!doctype html|html|head|body|script|iframe|table|title|a |p>|div|h1|img)/;
  if (!start.startsWith("<?xml") && html.test(element)) return "text/html";
  return start.startsWith("<?xml") ? "application/xml" : "text/plain";
}

/** What may stand before a document's first element, and how each of it ends. */
const preliminaries = [
  ["<?xml", ">"],
  ["<!doctype svg", ">"],
  ["<!--", "-->"],
] as const;

/** One walk, each piece looked at once: a pattern would try all ways of dividing the comments. */
function firstElement(text: string): string {
  for (let rest = text; ; ) {
    const found = preliminaries.find(([begin]) => rest.startsWith(begin));
    const end = found ? rest.indexOf(found[1], found[0].length) : -1;
    if (!found || end === -1) return rest;
    rest = rest.slice(end + found[1].length).trimStart();
  }
}
