import { expect, test } from "vitest";
import { type Folded, foldedIn, withFolded } from "./folded.ts";

test("what is folded is kept by list, and forgotten where nothing is folded", () => {
  const kept = withFolded(withFolded([], "a", ["new"]), "b", ["won", "lost"]);
  expect([foldedIn(kept, "a"), foldedIn(kept, "b"), foldedIn(kept, "c")]).toEqual([["new"], ["won", "lost"], []]);
  expect(withFolded(kept, "a", [])).toEqual([["b", ["won", "lost"]]]);
});

test("however many lists are folded, little is kept: the lists that were touched last", () => {
  const many = Array.from({ length: 400 }, (_, index) => String(index));
  let kept: Folded = [];
  for (const list of ["a", "b", "c", "a", "d"]) kept = withFolded(kept, list, many);
  expect(kept.map(([list]) => list)).toEqual(["a", "d"]);
  expect(
    withFolded(
      kept,
      "e",
      Array.from({ length: 5000 }, (_, index) => String(index)),
    ).flat(2),
  ).toHaveLength(1001);
});
