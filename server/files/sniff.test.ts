import fc from "fast-check";
import { expect, test } from "vitest";
import { sniff } from "./sniff.ts";

test.each([
  ["\xff\xd8\xff\xe0 rest", "image/jpeg"],
  ["\x89PNG\r\n\x1a\n rest", "image/png"],
  ["GIF89a rest", "image/gif"],
  ["RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"],
  ["%PDF-1.7\n", "application/pdf"],
  ["PK\x03\x04 word/document.xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
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
])("%j is %s", (content, type) => {
  expect(sniff(Buffer.from(content, "latin1"))).toBe(type);
});

test("any bytes have a media type, and text in any script is text even where the sample cuts a letter", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(sniff(bytes)).toMatch(/^[a-z]+\/[\w.+-]+$/);
    }),
  );
  const long = Buffer.from("漢".repeat(2_000)).subarray(0, 4_100);
  expect(sniff(long)).toBe("text/plain");
});
