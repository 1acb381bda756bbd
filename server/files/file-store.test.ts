// Both stores against one list of what a store must do.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { s3Credentials, startBucket, type TestBucket } from "../../test/s3-server.ts";
import { type FileStore, newStorageKey } from "./file-store.ts";
import { localStore, removeHalfWritten } from "./local-store.ts";
import { s3Store } from "./s3-store.ts";

let server: TestBucket;
let root = "";

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), "dossier-files-"));
  server = await startBucket();
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
const bucket = (more = {}) =>
  s3Store({ ...s3Credentials, endpoint: server.endpoint, bucket: server.bucket, ...more }, 1);

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
    server.refuse(2);
    await bucket().put(key, source("patience"), 8);
    expect(await read(bucket(), key)).toBe("patience");
    for (const how of [429, "hang up"] as const) {
      server.refuse(2, how);
      expect(await bucket().stat(key)).toBe(8);
    }
    server.refuse(3);
    await expect(bucket().stat(key)).rejects.toThrow("503");
    const asked = server.asked();
    await expect(bucket({ secretAccessKey: "wrong" }).get(key)).rejects.toThrow("SignatureDoesNotMatch");
    expect(server.asked() - asked).toBe(1);
    await expect(bucket({ bucket: "missing" }).put(key, source("x"), 1)).rejects.toThrow("no such bucket");
  });
});

test("of a folder, what was left half written an hour ago goes, and nothing else", async () => {
  const place = path.join(root, "half");
  mkdirSync(place);
  const names = ["old.part", "new.part", "old"];
  for (const name of names) writeFileSync(path.join(place, name), "x");
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  for (const name of ["old.part", "old"]) utimesSync(path.join(place, name), ago(61), ago(61));
  utimesSync(path.join(place, "new.part"), ago(50), ago(50));
  await removeHalfWritten(place);
  expect(readdirSync(place).sort()).toEqual(["new.part", "old"]);
  await removeHalfWritten(path.join(place, "is not there"));
});
