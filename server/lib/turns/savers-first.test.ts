import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSaversFirst } from "./savers-first.ts";

const keepBusy = (milliseconds: number): void => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
};

test("nobody waits while nobody saves", async () => {
  const { saving, readerTurn } = createSaversFirst();
  expect(readerTurn()).toBeUndefined();
  await saving(async () => undefined);
  expect(readerTurn()).toBeUndefined();
});

test("a save needs the process several times, and waits for a reader each time, not for all of them", async () => {
  const { saving, readerTurn } = createSaversFirst();
  const done: string[] = [];
  const saved = saving(async () => {
    for (let needed = 0; needed < 3; needed += 1) await turn();
    done.push("saved");
  });
  const readers = Array.from({ length: 12 }, async () => {
    await readerTurn();
    keepBusy(4);
    done.push("read");
  });
  await Promise.all([saved, ...readers]);
  expect(done).toHaveLength(13);
  expect(done.indexOf("saved")).toBeLessThan(6);
});

test("who still waits when the last save is done, or has failed, is let go", async () => {
  const { saving, readerTurn } = createSaversFirst();
  const readers: Promise<void>[] = [];
  const failing = saving(async () => {
    for (let at = 0; at < 50; at += 1) readers.push(Promise.resolve(readerTurn()));
    throw new Error("not saved");
  });
  await expect(failing).rejects.toThrow("not saved");
  await Promise.all(readers);
  expect(readers).toHaveLength(50);
  expect(readerTurn()).toBeUndefined();
});
