// The order of a list as people change it: by which columns, and which way. Reads and writes what the wire calls `order`.
// Pure.
import type { ListDraft } from "../../../../client/lists/list-draft.ts";
import type { ListChoice } from "../../../../client/lists/lists.ts";
import type { FieldTypeId } from "../../../../contract/field-types.ts";
import { fieldTypes } from "../../../fields/index.ts";

export interface SortBy {
  readonly column: string;
  readonly descending: boolean;
}

export function readOrder(text: string): SortBy {
  const written = text.trim();
  const direction = /\s(?:asc|desc)$/iu.exec(written);
  return {
    column: (direction ? written.slice(0, direction.index) : written).trim(),
    descending: direction?.[0].trim().toUpperCase() === "DESC",
  };
}

export const writeOrder = ({ column, descending }: SortBy): string => `${column} ${descending ? "DESC" : "ASC"}`;

/** What counts now: the address, then the draft or the view, then what the service did without being told. */
export function orderNow(
  { sort, dir }: Pick<ListChoice, "sort" | "dir">,
  query: Pick<ListDraft, "order">,
  told: readonly string[],
): readonly SortBy[] {
  if (sort !== undefined) return [{ column: sort, descending: dir === "DESC" }];
  const order = (query.order ?? []).length > 0 ? (query.order ?? []) : told;
  return order.map(readOrder).filter(({ column }) => column !== "");
}

/** By which words a direction is told: days have a newest, numbers a highest, texts a Z. */
export function directionWords(type: FieldTypeId | undefined): "days" | "numbers" | "checks" | "texts" | "choices" {
  if (type === undefined) return "texts";
  const { days, isNumeric, isYesNo, picks } = fieldTypes[type];
  if (days !== undefined) return "days";
  if (isNumeric) return "numbers";
  return isYesNo ? "checks" : picks !== undefined ? "choices" : "texts";
}
