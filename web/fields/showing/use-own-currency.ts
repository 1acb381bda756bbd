// The organization's currency, which amounts are in where nothing else is said.
import { useQuery } from "@tanstack/react-query";
import { ownOrganizationQuery } from "../../queries.ts";

/** The organization's; undefined until it is known, or where it has none. */
export function useOwnCurrency(isWanted = true): string | undefined {
  const { data } = useQuery({ ...ownOrganizationQuery, enabled: isWanted });
  return data?.currency ?? undefined;
}
