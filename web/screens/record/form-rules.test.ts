import { expect, test } from "vitest";
import type { FormElement } from "../../../client/records.ts";
import { actionsOf, isDrawn, permissionNow, sectionsOf } from "./form-rules.ts";

const element = (more: Partial<FormElement>): FormElement => ({
  name: ["leads", "lost_reason"],
  __name: "leads.lost_reason",
  label: "Lost reason",
  template: "select",
  method: "select",
  permission: 2,
  not_empty: 0,
  ...more,
});

test("a condition that typing makes true or false changes the field at once", () => {
  const hidden = element({ if_condition: 'status = "lost"', else_permission: 1, permission: 1 });
  const [stored, typed] = [() => "new", () => "lost"];
  expect(permissionNow(hidden, stored, stored, true)).toBe(1);
  expect(permissionNow(hidden, stored, typed, true)).toBe(2);
  expect(permissionNow(hidden, stored, typed, false)).toBe(4);
  const shown = element({ if_condition: 'status = "lost"', else_permission: 4 });
  expect(permissionNow(shown, typed, stored, true)).toBe(4);
});

test("without a condition the service's word holds", () => {
  expect(
    permissionNow(
      element({ permission: 4 }),
      () => "a",
      () => "b",
      true,
    ),
  ).toBe(4);
});

test("tabs are read as their sections, hidden sections are left out, submits are the actions", () => {
  const section = (label: string, permission: 1 | 2) =>
    element({ __name: label, label, template: "section", permission, children: [element({})] });
  const form = element({
    template: "form",
    children: [
      element({ template: "tab", children: [section("One", 2), section("Two", 1)] }),
      section("Three", 2),
      element({ template: "submit", label: "Save" }),
    ],
  });
  expect(sectionsOf(form).map(({ label }) => label)).toEqual(["One", "Three"]);
  expect(actionsOf(form).map(({ label }) => label)).toEqual(["Save"]);
});

test("a grid is drawn when it has rows", () => {
  const grid = element({ template: "grid", name: ["leads", "addresses"] });
  expect(isDrawn(grid, { addresses: [] })).toBe(false);
  expect(isDrawn(grid, { addresses: [{ id: "1" }] })).toBe(true);
});
