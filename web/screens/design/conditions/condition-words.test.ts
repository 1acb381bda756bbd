import { createInstance } from "i18next";
import { expect, test } from "vitest";
import { comparisons } from "../../../texts/en/workflow.ts";
import { conditionWords } from "./condition-words.ts";

const fields = [
  { name: "score", label: "Score", options: null },
  {
    name: "result",
    label: "Result",
    options: [
      { value: "passed", label: "Passed" },
      { value: "failed", label: "Not passed" },
    ],
  },
];

test("a condition is told with what people call its fields and options, or not at all", async () => {
  const i18n = createInstance();
  await i18n.init({ lng: "en", resources: { en: { translation: { comparisons } } } });
  const told = (text: string) => conditionWords(text, fields, i18n.t);
  expect(told("score >= 1")).toBe("Score is at least 1");
  expect(told('score > 5 and result in ("passed", "failed")')).toBe(
    "Score is greater than 5 and Result is one of Passed, Not passed",
  );
  expect(told("result is empty or score = 1")).toBe("Result is empty or Score is 1");
  // Nested, about a field that the reader doesn't see, or no condition at all.
  for (const text of ["score = 1 and (score = 2 or score = 3)", "secret = 1", ""]) expect(told(text)).toBeUndefined();
});
