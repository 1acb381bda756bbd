// Whether a role lets the reader make feed links.
import { useQuery } from "@tanstack/react-query";
import { navigationQuery } from "../queries.ts";

export function useMaySubscribe(): boolean {
  const { data: modules = [] } = useQuery(navigationQuery);
  return modules.some(({ entries }) =>
    entries.some(({ key, operations }) => key === "core/feed_links" && operations.includes("add")),
  );
}
