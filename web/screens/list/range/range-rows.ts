// The rows of a list from one to another: those that are here already, or fetched by page like the table fetches them.
import type { QueryClient } from "@tanstack/react-query";
import { type ListChoice, type ListPage, type ListRow, PAGE_SIZE } from "../../../../client/lists/lists.ts";
import { listPageQuery } from "../../../queries.ts";

interface RowsOf {
  readonly recordTypeKey: string;
  readonly choice: ListChoice;
}

const pageOf = (index: number): number => Math.floor(index / PAGE_SIZE) + 1;

function between(pages: ReadonlyMap<number, ListPage>, first: number, last: number): readonly ListRow[] {
  const rows: ListRow[] = [];
  for (let index = first; index <= last; index += 1) {
    const row = pages.get(pageOf(index))?.rows[index % PAGE_SIZE];
    if (row) rows.push(row);
  }
  return rows;
}

const pagesOf = (first: number, last: number): readonly number[] =>
  Array.from({ length: pageOf(last) - pageOf(first) + 1 }, (_, step) => pageOf(first) + step);

/** Undefined where some are not here yet. */
export function rowsAtHand(client: QueryClient, { recordTypeKey, choice }: RowsOf, first: number, last: number) {
  const pages = new Map<number, ListPage>();
  for (const page of pagesOf(first, last)) {
    const found = client.getQueryData(listPageQuery(recordTypeKey, choice, page).queryKey);
    if (found === undefined) return undefined;
    pages.set(page, found);
  }
  return between(pages, first, last);
}

export async function rowsBetween(
  client: QueryClient,
  { recordTypeKey, choice }: RowsOf,
  first: number,
  last: number,
): Promise<readonly ListRow[]> {
  const pages = new Map<number, ListPage>();
  for (const page of pagesOf(first, last)) {
    pages.set(page, await client.ensureQueryData(listPageQuery(recordTypeKey, choice, page)));
  }
  return between(pages, first, last);
}

/** Where a record stands in the list, among the rows that are here. */
export function indexAtHand(
  client: QueryClient,
  { recordTypeKey, choice }: RowsOf,
  id: string,
  idColumn: string,
): number | undefined {
  const { queryKey } = listPageQuery(recordTypeKey, choice, 1);
  for (const [key, page] of client.getQueriesData<ListPage>({ queryKey: queryKey.slice(0, -1) })) {
    const number = key.at(-1);
    const at = typeof number === "number" ? (page?.rows.findIndex((row) => row[idColumn] === id) ?? -1) : -1;
    if (typeof number === "number" && at >= 0) return (number - 1) * PAGE_SIZE + at;
  }
  return undefined;
}
