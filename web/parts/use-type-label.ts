// What people call a record type: its name in the navigation, else its key.
import { useQuery } from "@tanstack/react-query";
import { navigationQuery } from "../queries.ts";

export function useTypeLabel(): (key: string) => string {
  const { data = [] } = useQuery(navigationQuery);
  return (key) => data.flatMap((module) => module.entries).find((entry) => entry.key === key)?.label ?? key;
}
