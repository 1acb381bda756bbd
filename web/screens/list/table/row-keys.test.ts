import { expect, test } from "vitest";
import { type KeyedRow, keysOf } from "./row-keys.ts";

const rows = (first: number, ...ids: (string | undefined)[]): KeyedRow[] =>
  ids.map((id, at) => ({ index: first + at, id }));
const drawn = (some: readonly KeyedRow[], before: ReadonlyMap<string, string> = new Map()) => {
  const keys = keysOf(some, before);
  const byId = new Map(
    some.flatMap(({ index, id }) => (id === undefined ? [] : [[id, keys.get(index) ?? ""] as const])),
  );
  return { keys: some.map(({ index }) => keys.get(index)), byId };
};

test("a row keeps its key when its record comes, also where ids look like numbers of rows", () => {
  const empty = drawn(rows(448, "449", undefined));
  const full = drawn(rows(448, "449", "450"), empty.byId);
  expect(full.keys).toEqual(empty.keys);
});

test("keys go with their records when others come in above or leave", () => {
  const first = drawn(rows(0, "a", "b", "c"));
  const more = drawn(rows(0, "z", "a", "b", "c"), first.byId);
  expect(more.keys.slice(1)).toEqual(first.keys);
  expect(new Set(more.keys).size).toBe(4);
  const fewer = drawn(rows(0, "z", "b", "c"), more.byId);
  expect(fewer.keys).toEqual([more.keys[0], more.keys[2], more.keys[3]]);
});

test("no key is given twice", () => {
  const first = drawn(rows(0, "a", "b", "c"));
  for (const next of [rows(0, "c", "a", undefined, "b"), rows(0, "a", "a", "b"), rows(1, "b", undefined, "a", "d")]) {
    const { keys } = drawn(next, first.byId);
    expect(new Set(keys).size).toBe(keys.length);
  }
});
