// Pictures are written anew one of an organization at a time: a crowd of large ones of one delays nobody else's.
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openScope, within } from "../database/scope.ts";
import { rewritePicture } from "./picture.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "dossier-pictures-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const save = async (side: number): Promise<string> => {
  const file = path.join(folder, `${side}.png`);
  await sharp({ create: { width: side, height: side, channels: 3, background: "#8844cc" } }).toFile(file);
  return file;
};

const copies = (file: string, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const copy = `${file}.${at}`;
      await copyFile(file, copy);
      return copy;
    }),
  );

test("a small one of one organization is done before the second large one of another", async () => {
  const large = await copies(await save(4_000), 5);
  const small = await save(16);
  const order: string[] = [];
  const rewrite = async (file: string, share: string) => {
    expect(await rewritePicture(file, "image/png", share)).toMatchObject({ path: expect.any(String) });
    order.push(share);
  };
  await Promise.all([...large.map((file) => rewrite(file, "loud")), rewrite(small, "quiet")]);
  expect(order).toHaveLength(6);
  expect(order.indexOf("quiet")).toBeLessThan(2);
});

test("whoever has waited until there is no time left is told to come again", async () => {
  const [first = "", second = ""] = await copies(await save(2_000), 2);
  const late = { ...openScope("loud"), deadline: performance.now() };
  const [done, refused] = await Promise.allSettled([
    rewritePicture(first, "image/png", "loud"),
    within(late, () => rewritePicture(second, "image/png", "loud")),
  ]);
  expect(done.status).toBe("fulfilled");
  expect(refused).toMatchObject({ status: "rejected", reason: { code: "too_much_at_once" } });
});
