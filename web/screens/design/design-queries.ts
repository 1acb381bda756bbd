// What designers ask the service for, each with its key in the cache.
import { queryOptions } from "@tanstack/react-query";
import { previewForm, readDefinition, readDesignChoices, readGeneratedForm } from "../../../client/design/design.ts";
import { listRoles } from "../../../client/people/administration.ts";
import { call } from "../../session/session.ts";

export const designChoicesQuery = queryOptions({
  queryKey: ["design", "choices"],
  queryFn: ({ signal }) => readDesignChoices(call, signal),
});

export const definitionQuery = (key: string) =>
  queryOptions({
    queryKey: ["design", "definition", key],
    queryFn: ({ signal }) => readDefinition(call, key, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const rolesQuery = queryOptions({
  queryKey: ["admin-roles"],
  queryFn: ({ signal }) => listRoles(call, signal),
});

export const generatedFormQuery = (key: string) =>
  queryOptions({
    queryKey: ["design", "generated", key],
    queryFn: ({ signal }) => readGeneratedForm(call, key, signal),
  });

export const formPreviewQuery = (key: string, definition: string, role: string | undefined) =>
  queryOptions({
    queryKey: ["design", "preview", key, definition, role ?? null],
    queryFn: ({ signal }) => previewForm(call, key, definition, role, signal),
    gcTime: 60_000,
    retry: false,
  });
