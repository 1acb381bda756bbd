import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { testConfig } from "../../test/config.ts";
import { giveTime, isLate, openScope, untimed, within } from "../database/scope.ts";
import { withLocalCopy } from "../imports/files.ts";
import { newStorageKey } from "./file-store.ts";
import { openFileStore } from "./open-store.ts";

let dataDir = "";
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "dossier-store-"));
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dataDir, { recursive: true, force: true });
});

test("however long a file takes to be put, or to be copied back, what comes after it has the whole time of a request", async () => {
  const store = await openFileStore(testConfig(dataDir));
  const scope = openScope("1");
  giveTime(scope, 30_000);
  const minutesLater = <T>(work: Promise<T>): Promise<T> => {
    vi.advanceTimersByTime(300_000);
    return work;
  };
  const source = path.join(dataDir, "large.csv");
  writeFileSync(source, "name\nAda\n");
  const key = newStorageKey();
  await within(scope, () => minutesLater(store.put(key, source, 9)));
  expect(isLate(scope)).toBe(false);
  const copied = within(scope, () => withLocalCopy(store, key, dataDir, async () => isLate(scope)));
  expect(await minutesLater(copied)).toBe(false);
  vi.advanceTimersByTime(30_001);
  expect(isLate(scope)).toBe(true);
});

test("copies that are made at the same time stop the time of their request once, and until the last of them is there", async () => {
  const scope = openScope("1");
  giveTime(scope, 30_000);
  const ends: (() => void)[] = [];
  const copy = () => untimed(() => new Promise<void>((end) => ends.push(end)));
  const copies = within(scope, () => [copy(), copy(), copy()]);
  vi.advanceTimersByTime(300_000);
  ends[0]?.();
  await copies[0];
  expect(isLate(scope)).toBe(false);
  vi.advanceTimersByTime(300_000);
  expect(isLate(scope)).toBe(false);
  for (const end of ends) end();
  await Promise.all(copies);
  vi.advanceTimersByTime(29_999);
  expect(isLate(scope)).toBe(false);
  vi.advanceTimersByTime(2);
  expect(isLate(scope)).toBe(true);
});
