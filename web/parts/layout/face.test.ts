import { expect, test } from "vitest";
import { initialsOf, tintOf } from "./face.tsx";

test.each([
  ["Łukasz Stępień", "ŁS"],
  ["Administrator", "A"],
  ["Hao Ran Goh", "HG"],
  ["o'Neill  (retired)", "O"],
  ["nightly_import", "NI"],
  ["ivy@x.example", "IE"],
  ["李 小龙", "李小"],
  ["𝒜da 42", "𝒜4"],
  ["  ", ""],
])("%s is %s", (name, letters) => {
  expect(initialsOf(name)).toBe(letters);
});

test("a name has one color, and names have several", () => {
  const names = Array.from({ length: 200 }, (_, index) => `Person ${index}`);
  expect(names.map(tintOf)).toEqual(names.map(tintOf));
  expect(new Set(names.map(tintOf)).size).toBe(8);
});
