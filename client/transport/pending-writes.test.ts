import { expect, test } from "vitest";
import { createPendingWrites } from "./pending-writes.ts";

function started() {
  let text: string | null = null;
  let time = 0;
  const store = {
    read: () => text,
    write: (next: string | null) => {
      text = next;
    },
  };
  const pass = (span: number) => {
    time += span;
  };
  return { open: () => createPendingWrites(store, () => time), pass, kept: () => text };
}

test("a write that was not answered goes again under the same key, after a reload too", () => {
  const { open, kept } = started();
  const before = open();
  const key = before.begin("add Ann");
  before.leaveOpen(key);
  expect(before.begin("add Bea")).not.toBe(key);
  expect(open().begin("add Ann")).toBe(key);
  expect(kept()).not.toContain("Ann");
});

test("what was answered, and what is an hour old, is over", () => {
  const { open, pass, kept } = started();
  const pendingWrites = open();
  const first = pendingWrites.begin("add Ann");
  pendingWrites.settle(first);
  expect(kept()).toBeNull();
  const second = pendingWrites.begin("add Ann");
  expect(second).not.toBe(first);
  pendingWrites.leaveOpen(second);
  pass(3_600_000);
  expect(pendingWrites.begin("add Ann")).not.toBe(second);
});

test("two of the same content at the same time are two writes, and each is sent again under its own key", () => {
  const pendingWrites = started().open();
  const keys = [pendingWrites.begin("add Ann"), pendingWrites.begin("add Ann")];
  expect(new Set(keys).size).toBe(2);
  for (const key of keys) pendingWrites.leaveOpen(key);
  expect([pendingWrites.begin("add Ann"), pendingWrites.begin("add Ann")]).toEqual(keys);
});
