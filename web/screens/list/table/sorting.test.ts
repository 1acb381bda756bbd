// The order of a list in its head: the address first, then the view.
import { expect, test } from "vitest";
import { nextSort, sortingOf } from "./sorting.ts";

const columns = [{ sort: "leads.name" }, { sort: "leads.owned_by" }, { sort: undefined }];

test("the view's own order is shown where the address names none", () => {
  expect(sortingOf({}, ["leads.name DESC", "leads.id ASC"], columns)).toEqual({
    column: "leads.name",
    descending: true,
  });
  expect(sortingOf({}, ["leads.owned_by.name"], columns)).toEqual({ column: "leads.owned_by", descending: false });
  expect(sortingOf({}, ["leads.created DESC"], columns)).toBeUndefined();
  expect(sortingOf({}, [], columns)).toBeUndefined();
  expect(sortingOf({ sort: "leads.owned_by", dir: "DESC" }, ["leads.name ASC"], columns)).toEqual({
    column: "leads.owned_by",
    descending: true,
  });
});

test("a click goes on from the order that is shown", () => {
  const view = { view: "1" };
  expect(nextSort(view, ["leads.name ASC"], columns, "leads.name")).toEqual({
    ...view,
    sort: "leads.name",
    dir: "DESC",
  });
  expect(nextSort(view, ["leads.name DESC"], columns, "leads.name")).toEqual({ ...view, sort: "leads.name" });
  expect(nextSort(view, ["leads.name DESC"], columns, "leads.owned_by")).toEqual({ ...view, sort: "leads.owned_by" });
  const sorted = { ...view, sort: "leads.owned_by" };
  expect(nextSort(sorted, [], columns, "leads.owned_by")).toEqual({ ...sorted, dir: "DESC" });
  expect(nextSort({ ...sorted, dir: "DESC" }, [], columns, "leads.owned_by")).toEqual(view);
});
