// Takes the first bytes of a file; gives its media type by what it contains, never by what it is called. What is not
// recognised is plain text or just bytes. Pure.

/** How much of a file it takes to tell. */
export const SNIFF_BYTES = 4_100;

const ascii = (text: string): number[] => [...Buffer.from(text, "latin1")];

/** Media type, offset, bytes. */
const signatures: readonly (readonly [string, number, readonly number[]])[] = [
  ["image/jpeg", 0, [0xff, 0xd8, 0xff]],
  ["image/png", 0, [0x89, ...ascii("PNG\r\n\x1a\n")]],
  ["image/gif", 0, ascii("GIF87a")],
  ["image/gif", 0, ascii("GIF89a")],
  ["image/bmp", 0, ascii("BM")],
  ["image/tiff", 0, [0x49, 0x49, 0x2a, 0x00]],
  ["image/tiff", 0, [0x4d, 0x4d, 0x00, 0x2a]],
  ["application/pdf", 0, ascii("%PDF-")],
  ["application/gzip", 0, [0x1f, 0x8b]],
  ["application/x-7z-compressed", 0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ["application/vnd.rar", 0, ascii("Rar!\x1a\x07")],
  ["application/x-ole-storage", 0, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  ["audio/mpeg", 0, ascii("ID3")],
  ["audio/ogg", 0, ascii("OggS")],
  ["audio/flac", 0, ascii("fLaC")],
  ["video/webm", 0, [0x1a, 0x45, 0xdf, 0xa3]],
];

export function sniff(head: Uint8Array): string {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const at = (offset: number, length: number) => bytes.toString("latin1", offset, offset + length);
  const signed = signatures.find(([, offset, wanted]) => wanted.every((byte, index) => bytes[offset + index] === byte));
  // Two letters alone prove little: a bitmap also says how long it is, within the first 18 bytes.
  if (signed && (signed[0] !== "image/bmp" || (bytes.length > 18 && bytes.readUInt32LE(6) === 0))) return signed[0];
  if (at(0, 4) === "RIFF") {
    const kinds: Record<string, string> = { WEBP: "image/webp", WAVE: "audio/wav", "AVI ": "video/x-msvideo" };
    return kinds[at(8, 4)] ?? "application/octet-stream";
  }
  if (at(4, 4) === "ftyp") {
    const brand = at(8, 4);
    if (/^(avif|avis)$/.test(brand)) return "image/avif";
    if (/^(heic|heix|mif1|msf1)$/.test(brand)) return "image/heic";
    if (brand === "qt  ") return "video/quicktime";
    return brand.startsWith("M4A") ? "audio/mp4" : "video/mp4";
  }
  if (at(0, 4) === "PK\x03\x04") return zipKind(at(0, bytes.length));
  return isText(bytes) ? textKind(bytes) : "application/octet-stream";
}

/** Office documents are ZIP archives; the names of their first entries tell which. */
function zipKind(content: string): string {
  const office = "application/vnd.openxmlformats-officedocument";
  if (content.includes("word/")) return `${office}.wordprocessingml.document`;
  if (content.includes("xl/")) return `${office}.spreadsheetml.sheet`;
  if (content.includes("ppt/")) return `${office}.presentationml.presentation`;
  const declared = /mimetype(application\/(?:vnd\.oasis\.opendocument\.[a-z]+|epub\+zip))/.exec(content)?.[1];
  return declared ?? "application/zip";
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
