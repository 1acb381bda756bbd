// The rows of a list from one line to another: those that are here already, or fetched by page like the table fetches them.
// Lines that are no rows (the heads of sections) are passed over.
import type { QueryClient } from "@tanstack/react-query";
import { type ListChoice, type ListPage, type ListRow, PAGE_SIZE } from "../../../../client/lists/lists.ts";
import { linePageQuery, listPageQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import type { Lines } from "../sections/lines.ts";
import type { RowsPart } from "../table/use-rows.ts";

export interface RowsOf {
  readonly recordTypeKey: string;
  readonly choice: ListChoice;
  readonly lines: Lines<RowsPart>;
}

interface Place {
  readonly query: ReturnType<typeof linePageQuery>;
  readonly at: number;
}

function placesOf({ recordTypeKey, choice, lines }: RowsOf, first: number, last: number): readonly Place[] {
  const places: Place[] = [];
  for (let index = first; index <= last; index += 1) {
    const line = lines.at(index);
    if (line?.kind !== "row") continue;
    const page = Math.floor(line.row / PAGE_SIZE) + 1;
    places.push({ query: linePageQuery(recordTypeKey, choice, line.part.condition, page), at: line.row % PAGE_SIZE });
  }
  return places;
}

/** Undefined where some are not here yet. */
export function rowsAtHand(queries: QueryClient, of: RowsOf, first: number, last: number) {
  const rows: ListRow[] = [];
  for (const { query, at } of placesOf(of, first, last)) {
    const page = queries.getQueryData(query.queryKey);
    if (page === undefined) return undefined;
    const row = page.rows[at];
    if (row) rows.push(row);
  }
  return rows;
}

export async function rowsBetween(
  queries: QueryClient,
  of: RowsOf,
  first: number,
  last: number,
): Promise<readonly ListRow[]> {
  const rows: ListRow[] = [];
  for (const { query, at } of placesOf(of, first, last)) {
    const row = (await queries.ensureQueryData(query)).rows[at];
    if (row) rows.push(row);
  }
  return rows;
}

/** Which records stand on the lines from one to another; a line that is no row has no id. */
export async function idsBetween(
  { recordTypeKey, choice, lines }: RowsOf,
  first: number,
  last: number,
  signal: AbortSignal,
) {
  const ids: string[] = [];
  let start = first;
  for (let index = first; index <= last; ) {
    const line = lines.at(index);
    if (line?.kind !== "row") {
      ids.push("");
      index += 1;
      continue;
    }
    const bottom = Math.min(line.part.count - 1, line.row + last - index);
    const read = await client.lists.readRowIds(recordTypeKey, choice, line.row, bottom, line.part.condition, signal);
    // Of a list without sections, what stands around is kept: rows may have moved since they were drawn.
    const from = lines.hasHeads ? line.row - read.start : 0;
    const found = lines.hasHeads ? read.ids.slice(from, bottom - read.start + 1) : read.ids;
    if (!lines.hasHeads) start = read.start;
    ids.push(...found);
    index += bottom - line.row + 1;
  }
  return { start, ids };
}

/** Where a record stands in the list, among the rows that are here. */
export function indexAtHand(
  queries: QueryClient,
  { recordTypeKey, choice, lines }: RowsOf,
  id: string,
  idColumn: string,
): number | undefined {
  // In sections, a row that was changed may stand in another by now.
  if (lines.hasHeads) return undefined;
  const { queryKey } = listPageQuery(recordTypeKey, choice, 1);
  for (const [key, page] of queries.getQueriesData<ListPage>({ queryKey: queryKey.slice(0, -1) })) {
    const number = key.length === queryKey.length ? key.at(-1) : undefined;
    const at = typeof number === "number" ? (page?.rows.findIndex((row) => row[idColumn] === id) ?? -1) : -1;
    if (typeof number === "number" && at >= 0) return (number - 1) * PAGE_SIZE + at;
  }
  return undefined;
}
