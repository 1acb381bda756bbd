// The fields behind names of columns, as components ask for them: from the schemas that are known, or fetched.
import { useQueries } from "@tanstack/react-query";
import { schemaQuery } from "../../queries.ts";
import { queryClient } from "../../query-client.ts";
import { type FoundField, findField, type SchemaOf } from "../paths/field-path.ts";

const cachedSchema: SchemaOf = (key) => queryClient.ensureQueryData(schemaQuery(key));

/** By the name that was asked for; null once it is known that there is no such field. */
export function useFoundFields(key: string, names: readonly string[]): ReadonlyMap<string, FoundField | null> {
  const distinct = [...new Set(names)].filter((name) => name !== "");
  return useQueries({
    queries: distinct.map((name) => ({
      queryKey: ["field", key, name],
      queryFn: async () => (await findField(cachedSchema, key, name)) ?? null,
    })),
    combine: (results) =>
      new Map(
        distinct.flatMap((name, index) => {
          const { data, isError } = results[index] ?? {};
          return data !== undefined ? [[name, data] as const] : isError ? [[name, null] as const] : [];
        }),
      ),
  });
}
