import { expect, test } from "vitest";
import { hasFiles, toFormData } from "./form-data.ts";

test("a body with files becomes form-data with keys in brackets", async () => {
  const file = new File(["x"], "ü.txt");
  const body = { data: { leads: { id: 7, empty: null, tags: ["a", "b"], photo: file }, action: { save: "Save" } } };
  expect(hasFiles(body)).toBe(true);
  const entries = [...toFormData(body)].map(([key, value]) => [key, value instanceof File ? value.name : value]);
  expect(entries).toEqual([
    ["data[leads][id]", "7"],
    ["data[leads][empty]", ""],
    ["data[leads][tags][0]", "a"],
    ["data[leads][tags][1]", "b"],
    ["data[leads][photo]", "ü.txt"],
    ["data[action][save]", "Save"],
  ]);
  expect(hasFiles({ data: { leads: { id: 7, empty: null, tags: ["a"] } } })).toBe(false);
});
