import { createInstance } from "i18next";
import { expect, test } from "vitest";
import { formatsOf } from "../../../../contract/formats.ts";
import { comparisons } from "../../../texts/en/workflow.ts";
import { conditionWords } from "./condition-words.ts";

const fields = [
  { name: "score", label: "Score", type: "integer", options: null },
  {
    name: "result",
    label: "Result",
    type: "choice",
    options: [
      { value: "passed", label: "Passed" },
      { value: "failed", label: "Not passed" },
    ],
  },
  { name: "signed", label: "Signed", type: "flag" },
  { name: "due", label: "Due", type: "date" },
  { name: "company_id", label: "Company", type: "reference" },
] as const;

test("a condition is told with what people call its fields and values, or not at all", async () => {
  const i18n = createInstance();
  const values = { yes: "Yes", no: "No" };
  await i18n.init({ lng: "en", resources: { en: { translation: { comparisons, values } } } });
  const told = (text: string) => conditionWords(text, fields, i18n.t, formatsOf({ locale: "en-US" }));
  expect(told("score >= 1")).toBe("Score is at least 1");
  expect(told("score >= 25000")).toBe("Score is at least 25,000");
  expect(told('score > 5 and result in ("passed", "failed")')).toBe(
    "Score is greater than 5 and Result is one of Passed, Not passed",
  );
  expect(told("result is empty or score = 1")).toBe("Result is empty or Score is 1");
  expect(told("signed = 1")).toBe("Signed is Yes");
  expect(told("signed = 0")).toBe("Signed is No");
  expect(told('due = "2026-11-17"')).toBe("Due is Nov 17, 2026");
  expect(told("company_id is not empty")).toBe("Company is not empty");
  // Nested, about a field that the reader doesn't see, about a record by its id, or no condition at all.
  for (const text of ["score = 1 and (score = 2 or score = 3)", "secret = 1", "company_id = 42", ""]) {
    expect(told(text)).toBeUndefined();
  }
});
