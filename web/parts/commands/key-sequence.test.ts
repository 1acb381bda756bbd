import { expect, test } from "vitest";
import { assignLetters, createKeySequence } from "./key-sequence.ts";

const known = ["e", "g l", "g h", "mod+K", "?", "Space", "F2", "mod+Enter"];
const press = (key: string, at = 0, mod = false) => ({ key, at, mod, alt: false });

test("a single key, a key with the modifier, and one after the other", () => {
  const hear = createKeySequence();
  expect(hear(press("e"), known)).toEqual({ kind: "hit", keys: "e" });
  expect(hear(press("k", 0, true), known)).toEqual({ kind: "hit", keys: "mod+K" });
  expect(hear(press("Enter", 0, true), known)).toEqual({ kind: "hit", keys: "mod+Enter" });
  expect(hear(press("?"), known)).toEqual({ kind: "hit", keys: "?" });
  expect(hear(press(" "), known)).toEqual({ kind: "hit", keys: "Space" });
  expect(hear(press("F2"), known)).toEqual({ kind: "hit", keys: "F2" });
  expect(hear(press("g", 100), known)).toEqual({ kind: "begun" });
  expect(hear(press("l", 300), known)).toEqual({ kind: "hit", keys: "g l" });
  expect(hear(press("l", 400), known)).toEqual({ kind: "nothing" });
});

test("a sequence that takes too long, or goes astray, is forgotten", () => {
  const hear = createKeySequence();
  hear(press("g", 0), known);
  expect(hear(press("l", 5_000), known)).toEqual({ kind: "nothing" });
  hear(press("g", 6_000), known);
  expect(hear(press("e", 6_100), known)).toEqual({ kind: "hit", keys: "e" });
});

test("record types get the first letter of theirs that is free", () => {
  const letters = assignLetters(
    [
      { key: "crm/leads", label: "Leads" },
      { key: "crm/labels", label: "Labels" },
      { key: "crm/home", label: "Homes" },
    ],
    ["h"],
  );
  expect([...letters]).toEqual([
    ["crm/leads", "l"],
    ["crm/labels", "a"],
    ["crm/home", "o"],
  ]);
});
