// What a spool is given comes out again, whole and in order, however slowly it is read; and nothing is left of it.
import { type FileHandle, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { spooled } from "./spool.ts";

const opened = vi.hoisted((): FileHandle[] => {
  vi.resetModules();
  return [];
});
vi.mock(import("node:fs/promises"), async (original) => {
  const real = await original();
  const open: typeof real.open = async (...given) => {
    const file = await real.open(...given);
    opened.push(file);
    return file;
  };
  return { ...real, open };
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "dossier-spool-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function* made(pieces: readonly string[], onMade: () => void = () => {}) {
  for (const piece of pieces) {
    await turn();
    onMade();
    yield piece;
  }
}

test("all pieces, in order, whatever fits into memory", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ minLength: 1, maxLength: 50 }), { maxLength: 30 }),
      fc.nat(200),
      fc.integer({ min: 1, max: 300 }),
      fc.array(fc.boolean(), { minLength: 1 }),
      async (pieces, memoryBytes, diskBytes, pauses) => {
        const read: Buffer[] = [];
        for await (const bytes of spooled(made(pieces), { folder, memoryBytes, diskBytes })) {
          read.push(bytes);
          if (pauses[read.length % pauses.length]) await turn();
        }
        expect(Buffer.concat(read).toString()).toBe(pieces.join(""));
      },
    ),
    { numRuns: 50 },
  );
  expect(await readdir(folder)).toEqual([]);
});

test("however much goes through, the file stays as small as it was told", async () => {
  const pieces = Array.from({ length: 200 }, () => "x".repeat(100));
  let [size, largest] = [0, 0];
  for await (const bytes of spooled(made(pieces), { folder, memoryBytes: 0, diskBytes: 1_000 })) {
    size += bytes.length;
    largest = Math.max(largest, (await opened.at(-1)?.stat())?.size ?? 0);
  }
  expect([size, largest]).toEqual([20_000, 1_000]);
});

test("the maker is done although nobody has read more than the beginning", async () => {
  let count = 0;
  const pieces = Array.from({ length: 100 }, (_, at) => `${at};`);
  const spool = spooled(
    made(pieces, () => {
      count += 1;
    }),
    { folder, memoryBytes: 10, diskBytes: 1_000_000 },
  );
  await spool.next();
  await expect.poll(() => count).toBe(100);
  expect(await readdir(folder)).toEqual([]);
  await spool.return();
});

test("a reader too far behind holds the maker up, and lets it go on", async () => {
  let count = 0;
  const pieces = Array.from({ length: 100 }, () => "x".repeat(100));
  const spool = spooled(
    made(pieces, () => {
      count += 1;
    }),
    { folder, memoryBytes: 0, diskBytes: 1_000 },
  );
  let size = (await spool.next()).value?.length ?? 0;
  for (let at = 0; at < 50; at += 1) await turn();
  expect(count).toBeLessThan(30);
  for await (const bytes of spool) size += bytes.length;
  expect([count, size]).toEqual([100, 10_000]);
});

test("a fault of the maker comes after what it had made; leaving ends the making", async () => {
  let returned = false;
  const failing = async function* () {
    yield "before";
    throw new Error("broken");
  };
  const spool = spooled(failing(), { folder, memoryBytes: 100, diskBytes: 100 });
  expect((await spool.next()).value?.toString()).toBe("before");
  await expect(spool.next()).rejects.toThrow("broken");
  const endless = async function* () {
    try {
      for (;;) {
        await turn();
        yield "more";
      }
    } finally {
      returned = true;
    }
  };
  const left = spooled(endless(), { folder, memoryBytes: 10, diskBytes: 100 });
  await left.next();
  await left.return();
  expect(returned).toBe(true);
});
