import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { writeZip } from "../lib/writing/zip-writer.ts";
import { sniff } from "./sniff.ts";

test.each([
  ["\xff\xd8\xff\xe0 rest", "image/jpeg"],
  ["RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"],
  ["%PDF-1.7\n", "application/pdf"],
  ["PK\x03\x04 anything", "application/zip"],
  ["\x00\x00\x00\x20ftypheic", "image/heic"],
  ["BM is how a sentence may begin", "text/plain"],
  ["<!DOCTYPE html><p>", "text/html"],
  ["\n <!-- hello --> <script>alert(1)</script>", "text/html"],
  ['<?xml version="1.0"?><svg xmlns="x">', "image/svg+xml"],
  ["<?xml version='1.0'?><invoice/>", "application/xml"],
  ["just words", "text/plain"],
  ["\x00\x01\x02\x03", "application/octet-stream"],
  ["", "text/plain"],
])("%j is %s", async (content, type) => {
  expect(await sniff(Buffer.from(content, "latin1"))).toBe(type);
});

const drawing = sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } });
const office = (kind: string) =>
  `<?xml version="1.0"?><Types><Override PartName="/x" ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`;
const archive = async (name: string, text: string): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of writeZip([{ name, content: [text] }])) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const OFFICE = "application/vnd.openxmlformats-officedocument";
const real: readonly (readonly [string, () => Promise<Buffer>])[] = [
  ["image/png", () => drawing.clone().png().toBuffer()],
  ["image/gif", () => drawing.clone().gif().toBuffer()],
  ["image/webp", () => drawing.clone().webp().toBuffer()],
  ["application/zip", () => archive("hello.txt", "hello")],
  ...["wordprocessingml.document", "spreadsheetml.sheet", "presentationml.presentation"].map(
    (kind): readonly [string, () => Promise<Buffer>] => [
      `${OFFICE}.${kind}`,
      () => archive("[Content_Types].xml", office(kind)),
    ],
  ),
];

test.each(real)("a real file is %s, whole or cut off", async (type, make) => {
  const whole = await make();
  expect(await sniff(whole)).toBe(type);
  if (type.startsWith("image/")) expect(await sniff(whole.subarray(0, whole.length - 8))).toBe(type);
});

test("any bytes have a media type, and text in any script is text even where the sample cuts a letter", async () => {
  const starts = ["", "PK\x03\x04", "\x1aE\xdf\xa3", "\0\0\0 ftyp", "RIFF", "II*\0", "ID3", "OggS", "\x1f\x8b"];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }), async (start, rest) => {
      expect(await sniff(Buffer.concat([Buffer.from(start, "latin1"), rest]))).toMatch(/^[a-z]+\/[\w.+-]+$/);
    }),
  );
  const long = Buffer.from("漢".repeat(2_000)).subarray(0, 4_100);
  expect(await sniff(long)).toBe("text/plain");
});
