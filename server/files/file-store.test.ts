// Both stores against one list of what a store must do. The S3-compatible service here is a small one of our own that
// works out every signature again from what arrived on the wire, and keeps objects in memory.
import { createHash, createHmac } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer, text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FileStore, newStorageKey } from "./file-store.ts";
import { localStore } from "./local-store.ts";
import { s3Store } from "./s3-store.ts";

const credentials = { region: "eu-test-1", accessKeyId: "AKIDEXAMPLE", secretAccessKey: "very/secret+key" };

/** Written from the specification of the receiving side. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const found = /Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(
    request.headers.authorization ?? "",
  );
  if (!found) return false;
  const [, id, day = "", region = "", signedHeaders = "", signature] = found;
  const digest = createHash("sha256").update(body).digest("hex");
  if (id !== credentials.accessKeyId || request.headers["x-amz-content-sha256"] !== digest) return false;
  const lines = signedHeaders.split(";").map((name) => `${name}:${request.headers[name]}\n`);
  const [address = "", query = ""] = (request.url ?? "").split("?");
  const canonical = `${request.method}\n${address}\n${query}\n${lines.join("")}\n${signedHeaders}\n${digest}`;
  const hash = createHash("sha256").update(canonical).digest("hex");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = `AWS4-HMAC-SHA256\n${request.headers["x-amz-date"]}\n${scope}\n${hash}`;
  let key: Buffer = Buffer.from(`AWS4${credentials.secretAccessKey}`);
  for (const part of [day, region, "s3", "aws4_request", toSign]) key = createHmac("sha256", key).update(part).digest();
  return key.toString("hex") === signature && ["host", "x-amz-date"].every((name) => signedHeaders.includes(name));
}

const objects = new Map<string, Buffer>();
let failing = 0;
let server: Server;
let endpoint = "";
let root = "";

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), "dossier-files-"));
  server = createServer(async (request, response) => {
    const body = await buffer(request);
    const answer = (status: number, content: Buffer | string = "", headers = {}) =>
      response.writeHead(status, headers).end(content);
    if (failing > 0) {
      failing -= 1;
      return answer(503, "slow down");
    }
    if (!isSigned(request, body)) return answer(403, "<Code>SignatureDoesNotMatch</Code>");
    const [, bucket, key = ""] = (request.url ?? "").split("/");
    if (bucket !== "papers") return answer(404, "<Code>NoSuchBucket</Code>");
    if (request.method === "PUT") {
      objects.set(key, body);
      return answer(200);
    }
    const object = objects.get(key);
    if (request.method === "DELETE") {
      objects.delete(key);
      return answer(204);
    }
    if (!object) return answer(404, "<Code>NoSuchKey</Code>");
    const [, start, end] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
    if (start !== undefined) return answer(206, object.subarray(Number(start), Number(end) + 1));
    return answer(200, request.method === "HEAD" ? "" : object, { "content-length": object.length });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  endpoint = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
});
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true, force: true });
});

const source = (content: string): string => {
  const file = path.join(root, newStorageKey());
  writeFileSync(file, content);
  return file;
};
const read = async (store: FileStore, key: string, range?: { start: number; end: number }) => {
  const stream = await store.get(key, range);
  return stream && text(stream);
};
const bucket = (more = {}) => s3Store({ ...credentials, endpoint, bucket: "papers", ...more }, 1);

describe.each([
  { name: "a folder", open: (): FileStore => localStore(path.join(root, "store")) },
  { name: "a bucket", open: (): FileStore => bucket() },
])("$name as a file store", ({ open }) => {
  test("gives back what was put, whole and in parts, tells its size, and forgets what is removed", async () => {
    const store = open();
    const key = newStorageKey();
    expect(await read(store, key)).toBeUndefined();
    expect(await store.stat(key)).toBeUndefined();
    await store.put(key, source("0123456789 ü"), 13);
    expect(await read(store, key)).toBe("0123456789 ü");
    expect(await read(store, key, { start: 2, end: 4 })).toBe("234");
    expect(await store.stat(key)).toBe(13);
    await store.remove(key);
    expect(await read(store, key)).toBeUndefined();
    await store.remove(key);
  });

  test("takes no key that is not one of ours", async () => {
    const store = open();
    for (const key of ["../../etc/passwd", "a/b", "", "A".repeat(40)]) {
      await expect((async () => store.get(key))()).rejects.toThrow("not a storage key");
    }
  });

  test("holds nothing after a put that fails", async () => {
    const store = open();
    const key = newStorageKey();
    await expect(store.put(key, path.join(root, "is not there"), 5)).rejects.toThrow();
    expect(await store.stat(key)).toBeUndefined();
    expect(readdirSync(root).filter((name) => name.endsWith(".part"))).toEqual([]);
  });
});

describe("a bucket", () => {
  test("is asked again when it is busy, and not when it says no", async () => {
    const key = newStorageKey();
    failing = 2;
    await bucket().put(key, source("patience"), 8);
    expect(await read(bucket(), key)).toBe("patience");
    failing = 3;
    await expect(bucket().stat(key)).rejects.toThrow("503");
    await expect(bucket({ secretAccessKey: "wrong" }).get(key)).rejects.toThrow("SignatureDoesNotMatch");
    await expect(bucket({ bucket: "missing" }).put(key, source("x"), 1)).rejects.toThrow("no such bucket");
  });
});
