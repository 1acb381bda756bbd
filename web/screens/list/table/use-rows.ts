// The rows of a list, fetched by page as they come into sight. While a new choice (search, sort, view) is on its way the
// rows of the last one stay, so that nothing flickers.
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { type ListChoice, type ListPage, type ListRow, PAGE_SIZE } from "../../../../client/lists/lists.ts";
import { listPageQuery } from "../../../queries.ts";

/** Pages that are flown over while scrolling are not asked for. */
const SETTLE_MS = 60;

export interface ListHead {
  readonly query: UseQueryResult<ListPage>;
  /** The choice that the rows on the screen belong to. */
  readonly choice: ListChoice;
}

export function useListHead(key: string, choice: ListChoice): ListHead {
  const query = useQuery({
    ...listPageQuery(key, choice, 1),
    placeholderData: keepPreviousData,
    // Counts and totals that the service is still working out are asked for again, ever more seldom.
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data === undefined || isFinal(data) ? false : Math.min(1000 * 2 ** dataUpdateCount, 30_000),
  });
  const shown = useRef(choice);
  if (query.data !== undefined && !query.isPlaceholderData) shown.current = choice;
  return { query, choice: shown.current };
}

const isFinal = ({ isExact, header }: ListPage): boolean =>
  isExact && header.every((column) => column.column_total_is_exact !== 0);

export interface Rows {
  rowAt(index: number): ListRow | undefined;
  readonly failed: boolean;
  retry(): void;
}

export function useRows(key: string, choice: ListChoice, total: number, first: number, last: number): Rows {
  const inSight = pagesOf(first, last, total).join(" ");
  const [wanted] = useDebouncedValue(inSight, SETTLE_MS, { leading: true });
  const pages = wanted === "" ? [] : wanted.split(" ").map(Number);
  const results = useQueries({ queries: pages.map((page) => listPageQuery(key, choice, page)) });
  const byPage = new Map(pages.map((page, index) => [page, results[index]?.data]));
  return {
    rowAt: (index) => byPage.get(Math.floor(index / PAGE_SIZE) + 1)?.rows[index % PAGE_SIZE],
    failed: results.some((result) => result.isError),
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch();
    },
  };
}

/** The pages that hold the rows from first to last, and the one that the reader is heading for. */
export function pagesOf(first: number, last: number, total: number): readonly number[] {
  if (total <= 0) return [];
  const pageOf = (index: number) => Math.floor(Math.min(Math.max(index, 0), total - 1) / PAGE_SIZE) + 1;
  const [from, to] = [pageOf(first - 20), pageOf(last + 40)];
  return Array.from({ length: to - from + 1 }, (_, step) => from + step);
}
