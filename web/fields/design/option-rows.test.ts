import { expect, test } from "vitest";
import { freeName, slug, withOptions } from "./option-rows.ts";

test("names are made of labels: accents go, words are joined", () => {
  expect(slug("  Größe & Préférence ")).toBe("gro_e_preference");
  expect(slug("Über 3 Tage")).toBe("uber_3_tage");
  expect(freeName("size", ["size", "size_2"])).toBe("size_3");
});

test("several lines make several options, each once, with values of their own and a color", () => {
  const made = withOptions([{ value: "new", label: "New" }], "new\nIn progress\n\nIn-progress\nجديد");
  expect(made.map(({ value, label }) => [value, label])).toEqual([
    ["new", "New"],
    ["in_progress", "In progress"],
    ["in_progress_2", "In-progress"],
    ["جديد", "جديد"],
  ]);
  expect(made.at(-1)?.color).toBe("green");
});
