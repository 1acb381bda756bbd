// The facts in a record's head follow from what its fields are, whatever the record type is called.
import { expect, test } from "vitest";
import type { FormElement } from "../../../client/records/records.ts";
import type { FieldTypeId } from "../../../contract/field-types.ts";
import { keyFactsOf, pictureOf } from "./key-facts.ts";

const element = (name: string, type: FieldTypeId, more: Partial<FormElement> = {}): FormElement => ({
  name: ["things", name],
  __name: `things.${name}`,
  label: name,
  template: "field",
  method: "text",
  permission: 2,
  not_empty: "0",
  type,
  ...more,
});
const colored = { options: [{ value: "a", text: "A", color: "blue" }] };
const form = [
  element("title", "short-text"),
  element("kind", "choice", { options: [{ value: "a", text: "A" }] }),
  element("state", "choice", colored),
  element("worth", "money"),
  element("cost", "money"),
  element("due", "date"),
  element("seen", "date-time"),
];
const record = {
  title: "T",
  kind: "a",
  state: "a",
  worth: "5",
  cost: "6",
  due: "2026-03-04",
  seen: "2026-03-04 10:00:00",
};
const names = (elements: readonly FormElement[]) => elements.map(({ label }) => label);

test("a choice with colors, the first amount and the first day", () => {
  expect(names(keyFactsOf(form, record, false))).toEqual(["state", "worth", "due"]);
});

test("the stage of a workflow stands for the choice", () => {
  expect(names(keyFactsOf(form, record, true))).toEqual(["worth", "due"]);
});

test("what is empty or hidden gives way to the next", () => {
  expect(names(keyFactsOf(form, { ...record, worth: null, due: "" }, true))).toEqual(["cost"]);
  const hidden = form.map((one) => (one.label === "worth" ? { ...one, permission: 1 as const } : one));
  expect(names(keyFactsOf(hidden, record, true))).toEqual(["cost", "due"]);
});

test("the picture is the first one that is there", () => {
  const pictures = [element("plan", "file"), element("logo", "image"), element("photo", "image")];
  const photo = { id: "3", name: "a.png" };
  expect(pictureOf(pictures, { plan: photo, logo: null, photo })?.label).toBe("photo");
  expect(pictureOf(pictures, { logo: null, photo: null })).toBeUndefined();
});
