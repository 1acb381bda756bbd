import { expect, test } from "vitest";
import { differences } from "./compare.ts";

test("a key that is called like something every object has is told like any other", () => {
  expect(differences({ a: {} }, { a: { toString: "x" } })).toEqual([{ path: "a.toString", from: null, to: "x" }]);
});

test("labels are compared one by one, whatever they are called", () => {
  const labels = (words: Record<string, string | null>) =>
    Object.entries(words).map(([label, translation]) => ({ label, translation }));
  expect(
    differences(
      { labels: labels({ constructor: null, Van: "a" }) },
      { labels: labels({ constructor: "k", Van: "a" }) },
    ),
  ).toEqual([{ path: "labels.constructor.translation", from: null, to: "k" }]);
});
