import { expect, test } from "vitest";
import type { FormElement } from "../../../../client/records/records.ts";
import { actionsOf, hasPlace, isDrawn, isRequired, permissionNow, tabsOf } from "./form-rules.ts";

const element = (more: Partial<FormElement>): FormElement => ({
  name: ["leads", "lost_reason"],
  __name: "leads.lost_reason",
  label: "Lost reason",
  template: "select",
  method: "select",
  permission: 2,
  not_empty: "0",
  ...more,
});

const form = (...sections: FormElement[]) => element({ template: "form", children: sections });
const section = (label: string, children: FormElement[], more: Partial<FormElement> = {}) =>
  element({ __name: label, label, template: "section", children, ...more });
const placed = (whole: FormElement) => {
  const found = tabsOf(whole)[0]?.sections[0]?.elements[0];
  if (!found) throw new Error("there is no element");
  return found;
};

test("a condition that typing makes true or false changes the field at once", () => {
  const hidden = placed(
    form(
      section("A", [
        element({ if_condition: 'status = "lost"', else_permission: 1, permission: 1, granted_permission: 2 }),
      ]),
    ),
  );
  expect(permissionNow(hidden, () => "new")).toBe(1);
  expect(permissionNow(hidden, () => "lost")).toBe(2);
});

test("a condition of the section around holds for what is inside, the most restrictive of all", () => {
  const inside = placed(
    form(
      section("A", [element({ permission: 4, granted_permission: 4 })], {
        if_condition: 'status = "lost"',
        else_permission: 1,
      }),
    ),
  );
  expect(permissionNow(inside, () => "new")).toBe(1);
  expect(permissionNow(inside, () => "lost")).toBe(4);
});

test("without a condition the service's word holds", () => {
  expect(permissionNow(placed(form(section("A", [element({ permission: 4 })]))), () => "b")).toBe(4);
});

test("a field is required always, or while its condition says so", () => {
  expect(isRequired(element({ not_empty: "1" }), () => null)).toBe(true);
  const sometimes = element({ required_if: 'status = "lost"' });
  expect([isRequired(sometimes, () => "new"), isRequired(sometimes, () => "lost")]).toEqual([false, true]);
});

test("a form has its tabs, or one without a name; submits are the actions", () => {
  const tabbed = form(
    element({ template: "tab", label: "Main", children: [section("One", []), section("Two", [])] }),
    element({ template: "submit", label: "Save" }),
  );
  expect(tabsOf(tabbed).map(({ label, sections }) => [label, sections.map((one) => one.label)])).toEqual([
    ["Main", ["One", "Two"]],
  ]);
  expect(tabsOf(form(section("Three", []))).map(({ label }) => label)).toEqual([undefined]);
  expect(actionsOf(tabbed).map(({ label }) => label)).toEqual(["Save"]);
});

test("a grid is drawn when it has rows, or when rows can be added", () => {
  const grid = element({ template: "grid", name: ["leads", "addresses"] });
  expect(isDrawn(grid, { addresses: [] }, false)).toBe(false);
  expect(isDrawn(grid, { addresses: [] }, true)).toBe(true);
  expect(isDrawn(grid, { addresses: [{ id: "1" }] }, false)).toBe(true);
});

test.each<[string, Partial<FormElement>, unknown, boolean]>([
  ["an empty field", {}, null, false],
  ["a field that is filled in", {}, "price", true],
  ["an empty field that is required", { not_empty: "1" }, null, true],
  ["an empty field that is required by what another one holds", { required_if: 'status = "lost"' }, null, true],
  ["an empty field that another value would require", { required_if: 'status = "won"' }, null, false],
  ["a grid", { template: "grid" }, [], true],
])("%s keeps its place where empty ones are folded away: %#", (_, more, value, keeps) => {
  expect(hasPlace(element(more), { lost_reason: value as string }, () => "lost")).toBe(keeps);
});
