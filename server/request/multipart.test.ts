import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Failure } from "../../contract/failures.ts";
import { type Part, parseMultipart } from "./multipart.ts";

interface ReadPart extends Part {
  content: string;
}

async function* cut(body: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

async function read(body: string | Buffer, size = 1 << 16): Promise<ReadPart[]> {
  const parts: ReadPart[] = [];
  const chunks: Buffer[] = [];
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  for await (const event of parseMultipart(cut(bytes, size), "B")) {
    if (event.kind === "part") parts.push({ ...event.part, content: "" });
    else if (event.kind === "bytes") chunks.push(Buffer.from(event.bytes));
    else {
      const last = parts.at(-1);
      if (last) last.content = Buffer.concat(chunks.splice(0)).toString("latin1");
    }
  }
  return parts;
}

const part = (disposition: string, content: string, more = "") =>
  `--B\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;

describe("the parts of a multipart body", () => {
  test("are read with names, file names and types", async () => {
    const body =
      part('name="data[leads][name]"', "Ada") +
      part('name="file"; filename="C:\\tmp\\a%22b.PNG"', "PNG\r\n--ogus", "Content-Type: Image/PNG\r\n") +
      part('name="empty"', "") +
      part("name=plain", "x", "Content-Type: text/plain; charset=utf-8\r\n") +
      part('name="n"; filename="x.txt"; filename*=UTF-8\'\'na%C3%AFve.txt', "y") +
      part('name="none"; filename=""', "", "Content-Type: application/octet-stream\r\n");
    expect(await read(`ignored\r\n${body}--B--\r\nignored too`)).toEqual([
      { name: "data[leads][name]", fileName: undefined, mimeType: "text/plain", content: "Ada" },
      {
        name: "file",
        fileName: 'a"b.PNG',
        mimeType: "image/png",
        content: "PNG\r\n--ogus",
      },
      { name: "empty", fileName: undefined, mimeType: "text/plain", content: "" },
      { name: "plain", fileName: undefined, mimeType: "text/plain", content: "x" },
      { name: "n", fileName: "naïve.txt", mimeType: "text/plain", content: "y" },
      { name: "none", fileName: "", mimeType: "application/octet-stream", content: "" },
    ]);
  });

  test("are the same however the bytes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom("\r", "\n", "-", "B", "x", " ") }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 40 }),
        async (contents, size) => {
          const safe = contents.map((content) => content.replaceAll("--B", "--x"));
          const body = `${safe.map((content, index) => part(`name="f${index}"`, content)).join("")}--B--\r\n`;
          expect((await read(body, size)).map((one) => one.content)).toEqual(safe);
        },
      ),
    );
  });
});

describe("a multipart body is refused", () => {
  const whole = `${part('name="a"', "1")}--B--\r\n`;
  const cases: [string, string | Buffer][] = [
    ["when it is empty", ""],
    ["when its boundary never comes", "hello"],
    ["when a part has no name", part('filename="x"', "1")],
    ["when a part is no form-data", whole.replace("form-data", "attachment")],
    ["when a part has no headers", "--B\r\n\r\n1\r\n--B--"],
    ["when a part is in base64", part('name="a"', "MQ==", "Content-Transfer-Encoding: base64\r\n")],
    ["when a part is in Latin-1", part('name="a"', "x", "Content-Type: text/plain; charset=iso-8859-1\r\n")],
    ["when a header is none", part('name="a"', "x", "nonsense\r\n")],
    ["when headers do not end", `--B\r\nX: ${"x".repeat(20_000)}`],
    ["when a name is not UTF-8", Buffer.from(part('name="\xff"', "x"), "latin1")],
    ["when a boundary is followed by text", "--Bx\r\n"],
  ];
  test.each(cases)("%s", async (_, body) => {
    await expect(read(body)).rejects.toMatchObject({ code: "malformed_body" });
  });

  test("wherever it is cut off", async () => {
    for (let length = 0; length < whole.length - 4; length += 1) {
      await expect(read(whole.slice(0, length)), whole.slice(0, length)).rejects.toBeInstanceOf(Failure);
    }
  });
});
