import { expect, test } from "vitest";
import { movedBy, whereNow } from "./followed-rows.ts";

const now = (noted: string, list: string, first = 0) => {
  const at = (row: number) => (list[row] === "." ? undefined : list[row]);
  const find = (id: string) => (list.includes(id) ? list.indexOf(id) : undefined);
  return whereNow(new Map([...noted].map((id, index) => [first + index, id])), at, find);
};

test.each([
  ["one is added above", "b", 1, "xabc", 2],
  ["one above is gone", "b", 1, "bc", 0],
  ["nothing has moved", "b", 1, "abc", 1],
  ["it is gone itself", "b", 1, "acd", undefined],
])("a row, where %s", (_, noted, row, list, to) => {
  expect(now(noted, list, row)).toEqual(new Map([[row, to]]));
});

test("nothing is said of a row that is not at hand", () => {
  expect(now("b", "a.c", 1).size).toBe(0);
});

test.each([
  ["one is added above", "xabcd", 1],
  ["nothing has moved", "abcd", 0],
  ["one is added among its rows", "abxcd", undefined],
  ["one of its rows is gone", "abd", undefined],
  ["its rows stand in another order", "acbd", undefined],
])("a range, where %s", (_, list, by) => {
  expect(movedBy(now("bc", list, 1), { top: 1, bottom: 2 })).toBe(by);
});
