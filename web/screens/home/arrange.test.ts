import { expect, test } from "vitest";
import { moved } from "./arrange.ts";

const items = ["a", "b", "c"].map((id) => ({ id }));
const order = (id: string, place: number) =>
  moved(items, id, place)
    .map((item) => item.id)
    .join("");

test("a tile is put among the others, never outside of them", () => {
  expect(order("a", 1)).toBe("bac");
  expect(order("a", 9)).toBe("bca");
  expect(order("c", -1)).toBe("cab");
  expect(order("b", 1)).toBe("abc");
  expect(order("x", 1)).toBe("abc");
});
