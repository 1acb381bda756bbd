// Why a cell cannot be edited where it stands, as the name of the words for it; undefined where it can.
import type { ListRow } from "../../../../client/lists/lists.ts";
import { permission } from "../../../../contract/permissions.ts";
import { fieldTypes } from "../../../fields/index.ts";
import type { Column } from "../columns/columns.ts";

export type WhyNot = "required" | "group" | "other_record" | "kept" | "read_only" | "record" | "on_page";

export function whyNot(column: Column, row: ListRow, isGrouped: boolean): WhyNot | undefined {
  if (isGrouped) return "group";
  const { own } = column;
  if (own === undefined) return "other_record";
  if (own.system === true) return "kept";
  if (own.permission !== permission.EDIT) return "read_only";
  if (row.is_edit !== true) return "record";
  const { Input, isForPages } = fieldTypes[own.type];
  return Input === undefined || isForPages === true ? "on_page" : undefined;
}
