import { expect, test } from "vitest";
import { fieldTypeIds } from "../../../../contract/field-types.ts";
import type { Column } from "../columns/columns.ts";
import { whyNot } from "./why-not.ts";

test("what needs the page of its record is not opened in a cell, which would lose it", () => {
  // Only what is asked of a column here.
  const reasonOf = (type: string) =>
    whyNot({ own: { type, permission: 2 } } as unknown as Column, { is_edit: true }, false);
  const onPage = fieldTypeIds.filter((type) => reasonOf(type) === "on_page");
  expect(onPage).toEqual(["address", "image", "file", "auto-number"]);
  expect(fieldTypeIds.filter((type) => reasonOf(type) === undefined)).toHaveLength(fieldTypeIds.length - onPage.length);
});
