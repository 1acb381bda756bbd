import { expect, test } from "vitest";
import { fieldPaths, pathsAround } from "./fault-place.ts";

test("the place of a fault is sought by its path, then by those around it", () => {
  expect(pathsAround("field.size.settings.options.1.label")).toEqual([
    "field.size.settings.options.1.label",
    "field.size.settings.options.1",
    "field.size.settings.options",
    "field.size.settings",
    "field.size",
    "field",
  ]);
  expect(fieldPaths("size", ["initial", "initialFormula"])).toBe("field.size.initial field.size.initialFormula");
});
