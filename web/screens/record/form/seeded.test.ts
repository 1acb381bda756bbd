import { expect, test } from "vitest";
import { seeded } from "./seeded.ts";

const seed = { status: { value: "new" }, city: { value: "Ulm" } };

test("a form that nothing was typed into begins with what it is given", () => {
  expect(seeded(undefined, seed)).toEqual(seed);
});

test("what was typed over what it was given stays, also where it was emptied", () => {
  const typed = { status: { value: "lost" }, name: { value: "Tarn" } };
  expect(seeded({ changes: typed, seed }, seed)).toEqual(typed);
});

test("what is given anew goes before what was typed", () => {
  const typed = { status: { value: "lost" }, name: { value: "Tarn" } };
  expect(seeded({ changes: typed, seed }, { ...seed, status: { value: "won" } })).toEqual({
    ...typed,
    status: { value: "won" },
  });
  expect(seeded({ changes: typed }, { city: { value: "Ulm" } })).toEqual({ ...typed, city: { value: "Ulm" } });
});
