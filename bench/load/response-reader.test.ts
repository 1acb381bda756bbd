import fc from "fast-check";
import { expect, test } from "vitest";
import { type Answer, createResponseReader } from "./response-reader.ts";

const plain = (status: number, body: string) =>
  `HTTP/1.1 ${status} Words\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX: y\r\n\r\n${body}`;
const chunked = (status: number, parts: readonly string[]) =>
  `HTTP/1.1 ${status} Words\r\nTransfer-Encoding: chunked\r\n\r\n${parts
    .filter((part) => part !== "")
    .map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`)
    .join("")}0\r\n\r\n`;

test("answers are told apart however their bytes arrive", () => {
  const answer = fc.record({
    status: fc.constantFrom(200, 404, 500),
    parts: fc.array(fc.string(), { maxLength: 4 }),
    chunked: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(answer, { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      (sent, sizes) => {
        const bytes = Buffer.from(
          sent
            .map((one) => (one.chunked ? chunked(one.status, one.parts) : plain(one.status, one.parts.join(""))))
            .join(""),
        );
        const seen: Answer[] = [];
        const read = createResponseReader((one) => seen.push(one));
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          read(bytes.subarray(at, at + size));
          at += size;
        }
        expect(seen.map(({ status, bytes: length }) => [status, length])).toEqual(
          sent.map(({ status, parts }) => [status, Buffer.byteLength(parts.join(""))]),
        );
      },
    ),
  );
});

test("the words of a failure are kept, those of a success are not", () => {
  const seen: Answer[] = [];
  const read = createResponseReader((one) => seen.push(one));
  read(Buffer.from(plain(200, "fine") + plain(422, "Enter a valid email address")));
  expect(seen.map(({ text }) => text)).toEqual(["", "Enter a valid email address"]);
});
