// Which list a record was opened from, and where in it: kept with the entry of the browser's history, so that it outlives a reload
// and is gone with another way in.
import { useQueries } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import type { ListChoice } from "../../../client/lists/lists.ts";
import { listPageQuery } from "../../queries.ts";
import type { CopiedRecord } from "./copied-values.ts";
import { type Neighbors, neighborsOf, pagesAround } from "./neighbors.ts";

export interface ListPlace {
  readonly recordTypeKey: string;
  readonly choice: ListChoice;
  /** From 0. */
  readonly at: number;
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    fromList?: ListPlace | undefined;
    /** The record that a new one starts as a copy of. */
    copied?: CopiedRecord | undefined;
  }
}

export const useListPlace = (): ListPlace | undefined => useLocation({ select: ({ state }) => state.fromList });

/** Undefined where the record was not opened from a list of its own type, or that list is not known any more. */
export function useNeighbors(recordTypeKey: string, id: string): Neighbors | undefined {
  const place = useListPlace();
  const known = place?.recordTypeKey === recordTypeKey ? place : undefined;
  const pages = known ? pagesAround(known.at) : [];
  const results = useQueries({
    queries: pages.map((page) => ({ ...listPageQuery(recordTypeKey, known?.choice ?? {}, page), retry: false })),
  });
  if (!known) return undefined;
  const byPage = new Map(pages.map((page, index) => [page, results[index]?.data]));
  return neighborsOf(byPage, known.at, id);
}
