import { expect, test } from "vitest";
import { inlineLabel } from "./labels.ts";

test.each([
  ["Lead", "en", "lead"],
  ["Email address", "en", "email address"],
  ["API key", "en", "API key"],
  ["Work Order", "en", "Work Order"],
  ["SLA", "en", "SLA"],
  ["iPhone", "en", "iPhone"],
  ["Estimated VAT", "en", "estimated VAT"],
  ["Élève", "fr", "élève"],
  ["Rechnung", "de", "Rechnung"],
  ["عميل", "ar", "عميل"],
  ["", "en", ""],
])("within a sentence, %s (%s) is written %s", (label, language, written) => {
  expect(inlineLabel(label, language)).toBe(written);
});
