// After a record type changed somewhere: asks again what is on the screen of record types, and of those that are others now, their lists
// and records. What is being typed into is never among it.
import type { QueryClient } from "@tanstack/react-query";
import { type Changed, changedBy, isConcerned } from "./changed-queries.ts";

/** What is known of record types, whatever their records are. */
const known: ReadonlySet<unknown> = new Set(["schema", "navigation", "views", "stages", "who-may"]);

const anyType: Changed = { records: new Map(), everything: true, movesWork: false };

export async function refreshDesign(queryClient: QueryClient): Promise<void> {
  const schemas = () => new Map(queryClient.getQueriesData({ queryKey: ["schema"], type: "active" }));
  const before = new Map([...schemas()].map(([[, key], schema]) => [String(key), schema]));
  await queryClient.invalidateQueries(
    { predicate: ({ queryKey: [what] }) => known.has(what) },
    { cancelRefetch: true },
  );
  // What is not on the screen is asked for again when it is next shown.
  const ofAny = ({ queryKey }: { queryKey: readonly unknown[] }) => isConcerned(anyType, queryKey);
  await queryClient.invalidateQueries({ type: "inactive", refetchType: "none", predicate: ofAny });
  // What came back the same is the same object.
  const changed = [...schemas()].flatMap(([[, key], schema]) =>
    before.get(String(key)) === schema ? [] : [String(key)],
  );
  const at = { at: null, cursor: "", id: null };
  const concerned = changedBy(changed.map((controller) => ({ ...at, operation: "reset" as const, controller })));
  if (changed.length === 0) return;
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => isConcerned(concerned, queryKey) });
}
