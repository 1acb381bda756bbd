import { expect, test } from "vitest";
import { rollUpChanges } from "./roll-up-changes.ts";

const fields = [
  { name: "stars", system: false, looked_up_as: "rating" },
  { name: "share", system: false, looked_up_as: "percent" },
  { name: "size", system: false, looked_up_as: "integer" },
  { name: "day", system: false, looked_up_as: "date" },
  { name: "note", system: false, looked_up_as: "long-text" },
] as const;
const results = ["integer", "decimal", "percent", "date"] as const;
const stored = { kind: "roll-up", type: "crm/visits", via: "site_id", function: "average", field: "size" } as const;
const designed = { computed: stored, type: "percent", fields, results } as const;

test("a condition changes nothing else, and nothing is let go of before the fields are known", () => {
  expect(rollUpChanges(designed, { where: "size > 1" })).toEqual({ computed: { ...stored, where: "size > 1" } });
  const early = { ...designed, fields: undefined };
  expect(rollUpChanges(early, { where: "x" })).toEqual({ computed: { ...stored, where: "x" } });
  expect(rollUpChanges(early, { function: "sum" })).toEqual({ computed: { ...stored, function: "sum" } });
});

test.each([
  ["sum", "stars", "integer"],
  ["max", "stars", "integer"],
  ["average", "stars", "decimal"],
  ["average", "size", "decimal"],
  ["average", "share", undefined],
  ["sum", "share", undefined],
  ["min", "day", "date"],
] as const)("the %s of %s is of its own type", (by, field, type) => {
  expect(rollUpChanges(designed, { function: by, field })).toEqual({
    ...(type ? { type, settings: undefined } : {}),
    computed: { ...stored, function: by, field },
  });
});

test("a field that cannot be summed up so is let go of, and so is one of another record type", () => {
  const { field: _, ...rest } = stored;
  const of = (field: string) => ({ ...designed, computed: { ...stored, field } });
  expect(rollUpChanges(of("day"), { function: "sum" }).computed).toEqual({ ...rest, function: "sum" });
  expect(rollUpChanges(of("note"), { function: "max" }).computed).toEqual({ ...rest, function: "max" });
  expect(rollUpChanges(designed, { type: "crm/leads", via: "x", field: "" }).computed).toEqual({
    ...{ ...rest, type: "crm/leads", via: "x" },
  });
});
