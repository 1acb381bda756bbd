// What a quick new record asks for.
import { expect, test } from "vitest";
import type { FormElement, FormTree } from "../../../../client/records/records.ts";
import { quickFields } from "./quick-fields.ts";

const element = (name: string, more: Partial<FormElement> = {}) => ({
  name: ["leads", name],
  __name: `leads.${name}`,
  label: name,
  template: "input",
  method: "text",
  permission: 2,
  not_empty: "0",
  ...more,
});

const formOf = (...children: object[]) =>
  // Only what is asked for here.
  ({
    name: ["leads"],
    __name: "leads",
    children: [{ template: "section", __name: "s", label: "", children }],
  }) as unknown as FormTree;

const many = Array.from({ length: 12 }, (_, index) => element(`field_${index}`));

test("asks for the first few fields, and for what is required wherever it stands", () => {
  const fields = quickFields(formOf(...many, element("last", { not_empty: "1" })), []);
  expect([...fields]).toEqual(["last", ...many.slice(0, 7).map(({ name }) => name[1])]);
});

test("asks for what is known already, and for nothing that cannot be filled in here", () => {
  const form = formOf(
    element("notes", { template: "textarea" }),
    element("emails", { template: "grid" }),
    element("score", { permission: 4 }),
    element("stage"),
    ...many,
  );
  const fields = quickFields(form, ["field_11", "score", "gone"]);
  expect(fields.has("field_11")).toBe(true);
  for (const name of ["notes", "emails", "score", "gone"]) expect(fields.has(name)).toBe(false);
});

test("asks for all that is required, however many there are", () => {
  const required = many.map((one) => ({ ...one, not_empty: "1" }));
  expect(quickFields(formOf(...required), []).size).toBe(12);
});
