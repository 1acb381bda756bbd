import { expect, test } from "vitest";
import { withLease } from "./exclusively.ts";

function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test("lets one run at a time", async () => {
  const storage = memory();
  let running = 0;
  let most = 0;
  const run = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((done) => setTimeout(done, 10));
    running -= 1;
  };
  await Promise.all([1, 2, 3, 4].map(() => withLease(storage, run)));
  expect(most).toBe(1);
});

test("gives the lease back when a run fails, and takes over one that ran out", async () => {
  const storage = memory();
  await expect(withLease(storage, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  storage.setItem("dossier.refresh.lease", `gone ${Date.now() - 1}`);
  expect(await withLease(storage, async () => "done")).toBe("done");
});
