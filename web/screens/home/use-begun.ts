// Whether anything is kept here yet: asked until the first record is there, then remembered in this browser.
import { useQueries } from "@tanstack/react-query";
import { useEffect } from "react";
import type { NavigationModule } from "../../../client/lists/navigation.ts";
import { isEmptyQuery } from "../../queries.ts";
import { useSession } from "../../session/use-session.ts";

/** More types than these need not be looked through to know that somebody has begun. */
const MOST_ASKED = 6;

/** Undefined while it is not known. `module`: the one that people work with most. */
export function useBegun(module: NavigationModule | undefined): boolean | undefined {
  const { identity } = useSession();
  const key = `dossier.begun.${identity?.organizationId ?? ""}.${identity?.userId ?? ""}`;
  const known = localStorage.getItem(key) !== null;
  const asked = known ? [] : (module?.entries.slice(0, MOST_ASKED) ?? []);
  const answers = useQueries({ queries: asked.map((entry) => isEmptyQuery(entry.key)) });
  const begun = known || answers.some(({ data, isError }) => data === false || isError);
  useEffect(() => {
    if (begun && !known) localStorage.setItem(key, "1");
  }, [begun, known, key]);
  if (begun) return true;
  return module === undefined || answers.some(({ data }) => data === undefined) ? undefined : false;
}
