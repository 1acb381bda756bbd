// The rows of a list, fetched by page as they come into sight. While a new choice (search, sort, view) is on its way the
// rows of the last one stay, so that nothing flickers.
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { Condition } from "../../../../client/lists/list-draft.ts";
import { isEstimate, type ListChoice, type ListPage, type ListRow, PAGE_SIZE } from "../../../../client/lists/lists.ts";
import { linePageQuery, listPageQuery } from "../../../queries.ts";
import type { Lines, Part } from "../sections/lines.ts";

/** Pages that are flown over while scrolling are not asked for. */
const SETTLE_MS = 60;

export interface ListHead {
  readonly query: UseQueryResult<ListPage>;
  /** The choice that the rows on the screen belong to. */
  readonly choice: ListChoice;
}

/** `isPicture`: it only says what is drawn. */
export function useListHead(key: string, choice: ListChoice, isPicture: boolean): ListHead {
  const query = useQuery({
    ...listPageQuery(key, choice, 1, isPicture),
    placeholderData: keepPreviousData,
    // Counts and totals that the service is still working out are asked for again, ever more seldom.
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data === undefined || isFinal(data) ? false : Math.min(1000 * 2 ** dataUpdateCount, 30_000),
  });
  const shown = useRef(choice);
  if (query.data !== undefined && !query.isPlaceholderData) shown.current = choice;
  return { query, choice: shown.current };
}

/** The figures of a picture are its frame's own. */
const isFinal = (page: ListPage): boolean =>
  isEstimate(page) || (page.isExact && page.header.every((column) => column.column_total_is_exact !== 0));

/** A part of the list, with the condition that tells its rows from those of others. */
export interface RowsPart extends Part {
  readonly condition?: Condition | undefined;
}

export interface Rows {
  rowAt(index: number): ListRow | undefined;
  readonly failed: boolean;
  retry(): void;
}

export function useRows(key: string, choice: ListChoice, lines: Lines<RowsPart>, first: number, last: number): Rows {
  const inSight = pagesOf(lines, first, last)
    .map(({ part, page }) => `${lines.parts.indexOf(part)}:${page}`)
    .join(" ");
  const [wanted] = useDebouncedValue(inSight, SETTLE_MS, { leading: true });
  const pages = wanted === "" ? [] : wanted.split(" ").map((text) => text.split(":").map(Number));
  const results = useQueries({
    queries: pages.map(([part = 0, page = 1]) => linePageQuery(key, choice, lines.parts[part]?.condition, page)),
  });
  const byPage = new Map(
    pages.map(([part = 0, page], index) => [`${lines.parts[part]?.key} ${page}`, results[index]?.data]),
  );
  return {
    rowAt: (index) => {
      const line = lines.at(index);
      if (line?.kind !== "row") return undefined;
      return byPage.get(`${line.part.key} ${pageOf(line.row)}`)?.rows[line.row % PAGE_SIZE];
    },
    failed: results.some((result) => result.isError),
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch();
    },
  };
}

const pageOf = (row: number): number => Math.floor(row / PAGE_SIZE) + 1;

/** The pages that hold the rows from first to last, and the one that the reader is heading for, of each part in sight. */
export function pagesOf<P extends Part>(
  lines: Lines<P>,
  first: number,
  last: number,
): readonly { readonly part: P; readonly page: number }[] {
  const pages: { part: P; page: number }[] = [];
  const end = Math.min(lines.count - 1, last + 40);
  for (let index = Math.max(0, Math.min(first - 20, lines.count - 1)); index <= end; ) {
    const line = lines.at(index);
    if (line === undefined) break;
    index += 1;
    if (line.kind === "head") continue;
    const bottom = Math.min(line.part.count - 1, line.row + (end - index) + 1);
    for (let page = pageOf(line.row); page <= pageOf(bottom); page += 1) pages.push({ part: line.part, page });
    index += bottom - line.row;
  }
  return pages;
}
