// The order of a list as the head of its table shows it, and what a click on a column makes of it. Pure.
import type { ListChoice } from "../../../../client/lists/lists.ts";
import type { Column } from "../columns/columns.ts";
import type { Sorting } from "../columns/head-actions.ts";

type Sortable = Pick<Column, "sort">;

/** As the address says, or else the view itself: `order` is that of the service, such as `leads.created DESC`. */
export const sortingOf = (
  choice: ListChoice,
  order: readonly string[],
  columns: readonly Sortable[],
): Sorting | undefined =>
  choice.sort === undefined ? ownSorting(order, columns) : { column: choice.sort, descending: choice.dir === "DESC" };

function ownSorting([first]: readonly string[], columns: readonly Sortable[]): Sorting | undefined {
  const written = first?.trim() ?? "";
  const direction = /\s(asc|desc)$/iu.exec(written);
  const name = (direction ? written.slice(0, direction.index) : written).trim();
  if (name === "") return undefined;
  // A record that is led to is ordered by what it is called: `leads.owned_by.name` stands for `leads.owned_by`.
  const column = (
    columns.find(({ sort }) => sort === name) ??
    columns.find(({ sort }) => sort !== undefined && name.startsWith(`${sort}.`))
  )?.sort;
  return column === undefined ? undefined : { column, descending: direction?.[1]?.toUpperCase() === "DESC" };
}

/** Ascending, descending, then the view's own order again; on the column of that order there and back. */
export function nextSort(
  choice: ListChoice,
  order: readonly string[],
  columns: readonly Sortable[],
  column: string | undefined,
): ListChoice {
  const { sort: _, dir: __, ...rest } = choice;
  const now = sortingOf(choice, order, columns);
  // What the view itself says is not known while the address says otherwise: then the third click goes back to it.
  if (now?.column !== column) return { ...rest, sort: column };
  if (!now?.descending) return { ...rest, sort: column, dir: "DESC" };
  return choice.sort === undefined ? { ...rest, sort: column } : rest;
}
