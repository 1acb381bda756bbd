// What designers ask the service for, each with its key in the cache.
import { queryOptions } from "@tanstack/react-query";
import { client } from "../../session/session.ts";

export const designChoicesQuery = queryOptions({
  queryKey: ["design", "choices"],
  queryFn: ({ signal }) => client.design.readDesignChoices(signal),
});

export const definitionQuery = (key: string) =>
  queryOptions({
    queryKey: ["design", "definition", key],
    queryFn: ({ signal }) => client.design.readDefinition(key, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const rolesQuery = queryOptions({
  queryKey: ["admin-roles"],
  queryFn: ({ signal }) => client.administration.listRoles(signal),
});

export const generatedFormQuery = (key: string) =>
  queryOptions({
    queryKey: ["design", "generated", key],
    queryFn: ({ signal }) => client.design.readGeneratedForm(key, signal),
  });

export const formPreviewQuery = (key: string, definition: string, role: string | undefined) =>
  queryOptions({
    queryKey: ["design", "preview", key, definition, role ?? null],
    queryFn: ({ signal }) => client.design.previewForm(key, definition, role, signal),
    gcTime: 60_000,
    retry: false,
  });
