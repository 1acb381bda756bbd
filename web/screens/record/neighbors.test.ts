// Which records stand beside one in the list that it was opened from.
import { expect, test } from "vitest";
import { PAGE_SIZE } from "../../../client/lists/lists.ts";
import { neighborsOf, pagesAround } from "./neighbors.ts";

const TOTAL = 250;
/** Row n of the list is record n. */
const page = (number: number, ids?: readonly number[]) => ({
  idColumn: "id",
  total: TOTAL,
  rows: (ids ?? Array.from({ length: PAGE_SIZE }, (_, row) => (number - 1) * PAGE_SIZE + row))
    .filter((id) => id < TOTAL)
    .map((id) => ({ id: String(id) })),
});
const pagesOf = (at: number) => new Map(pagesAround(at).map((number) => [number, page(number)]));

test.each([
  ["the first", 0, undefined, "1"],
  ["one amid others", 7, "6", "8"],
  ["the last of a page", 99, "98", "100"],
  ["the first of a page", 100, "99", "101"],
  ["the last of all", 249, "248", undefined],
])("%s", (_name, at, previous, next) => {
  expect(neighborsOf(pagesOf(at), at, String(at))).toEqual({ at, total: TOTAL, previous, next });
});

test("a record that has moved is found where it is now", () => {
  const pages = new Map([[1, page(1, [5, 9, 6, 7])]]);
  expect(neighborsOf(pages, 3, "9")).toMatchObject({ at: 1, previous: "5", next: "6" });
});

test("of one that has left the list, those who moved up are beside it", () => {
  const pages = new Map([[1, page(1, [5, 6, 7])]]);
  expect(neighborsOf(pages, 1, "9")).toMatchObject({ at: 1, previous: "5", next: "6" });
});

test("nothing is known before the list is", () => {
  expect(neighborsOf(new Map([[1, undefined]]), 3, "9")).toBeUndefined();
});
