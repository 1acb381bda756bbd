// Lines of a body as they come: numbered without the empty ones, told by where they stand, and held no longer than they may be.
import { describe, expect, test } from "vitest";
import { Failure } from "../../../contract/failures.ts";
import { writeAll } from "../../../contract/texts/write.ts";
import { limits } from "../limits.ts";
import { numberedLines } from "./json-lines.ts";

async function* cut(body: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

async function read(body: Uint8Array, size: number) {
  const lines: unknown[] = [];
  try {
    for await (const { number, line, text } of numberedLines(cut(body, size))) lines.push([number, line, text]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    lines.push(writeAll([error.said], "en").join());
  }
  return lines;
}

describe.each([1, 3, 1_000_000])("lines in pieces of %i bytes", (size) => {
  test("are numbered from 0 without the empty ones, and from 1 as they stand in the body", async () => {
    expect(await read(Buffer.from('{"a":"é"}\n\n \r\n{"b":1}\r\n{"c":2}'), size)).toEqual([
      [0, 1, '{"a":"é"}'],
      [1, 4, '{"b":1}\r'],
      [2, 5, '{"c":2}'],
    ]);
  });

  test("that are no UTF-8 are told by their place, after those before them", async () => {
    const body = Buffer.concat([Buffer.from("1\n\n"), Buffer.from([0xc3, 0x0a]), Buffer.from("4\n")]);
    expect(await read(body, size)).toEqual([[0, 1, "1"], expect.stringContaining("Line 3")]);
  });
});

test.each([64 * 1024, 100_000_000])("a line may be as long as a body, in pieces of %i bytes", async (size) => {
  const long = (bytes: number) => Buffer.concat([Buffer.from("1\n"), Buffer.alloc(bytes, "x"), Buffer.from("\n3")]);
  const lines = await read(long(limits.bodyBytes), size);
  expect(lines).toHaveLength(3);
  const told = expect.stringMatching(/Line 2\b.*10 MiB/u);
  expect(await read(long(limits.bodyBytes + 1), size)).toEqual([[0, 1, "1"], told]);
});
