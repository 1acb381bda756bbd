// Whether anything is kept here yet: told with the navigation, and asked list by list until the first record is there.
import { useQueries } from "@tanstack/react-query";
import { useEffect } from "react";
import type { NavigationModule } from "../../../client/lists/navigation.ts";
import { isEmptyQuery } from "../../queries.ts";
import { isKnownToHaveBegun, rememberBegun } from "../../session/begun.ts";

/** More types than these need not be looked through to know that somebody has begun. */
const MOST_ASKED = 6;

/** Undefined while it is not known. `module`: the one that people work with most. */
export function useBegun(module: NavigationModule | undefined): boolean | undefined {
  const known = isKnownToHaveBegun();
  const told = known || module?.hasBegun === true;
  const asked = told ? [] : (module?.entries.slice(0, MOST_ASKED) ?? []);
  const answers = useQueries({ queries: asked.map((entry) => isEmptyQuery(entry.key)) });
  const begun = told || answers.some(({ data, isError }) => data === false || isError);
  useEffect(() => {
    if (begun && !known) rememberBegun();
  }, [begun, known]);
  if (begun) return true;
  return module === undefined || answers.some(({ data }) => data === undefined) ? undefined : false;
}
