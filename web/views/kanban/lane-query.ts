// The cards of one lane, page by page.
import { infiniteQueryOptions } from "@tanstack/react-query";
import type { ListChoice } from "../../../client/lists/lists.ts";
import { type IsElsewhere, rowsKey } from "../../queries.ts";
import { client } from "../../session/session.ts";
import { laneCondition } from "./lanes.ts";

const CARDS = 25;

/** The other lanes, of a card that went from one to another. */
export const isOtherLane =
  (...touched: readonly (string | null)[]): IsElsewhere =>
  ([, , , part, , value]) =>
    part === "lane" && !touched.some((one) => one === value);

export const laneQuery = (
  key: string,
  choice: ListChoice,
  column: string,
  value: string | null,
  fields: readonly string[],
) =>
  infiniteQueryOptions({
    queryKey: ["list", key, rowsKey(choice), "lane", column, value],
    queryFn: ({ pageParam, signal }) =>
      client.lists.readList(
        key,
        choice,
        { page: pageParam, limit: CARDS, q: { fields, where: laneCondition(column, value) } },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: (last, _, page) => (page * CARDS < last.total ? page + 1 : undefined),
  });
