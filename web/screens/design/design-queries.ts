// What designers ask the service for, each with its key in the cache.
import { queryOptions } from "@tanstack/react-query";
import type { RecordTypeDefinition } from "../../../contract/record-type.ts";
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

export const computedPreviewQuery = (definition: RecordTypeDefinition, field: string) =>
  queryOptions({
    queryKey: ["design", "computed", JSON.stringify(definition), field],
    queryFn: ({ signal }) => client.design.previewComputed(definition, field, signal),
    gcTime: 10_000,
    retry: false,
  });

export const fieldUsesQuery = (key: string, field: string) =>
  queryOptions({
    queryKey: ["design", "uses", key, field],
    queryFn: ({ signal }) => client.design.readUses(key, field, signal),
    staleTime: 0,
  });

/** Fields of a record type; without one, record types. */
export const removedQuery = (key: string | undefined) =>
  queryOptions({
    queryKey: ["design", "removed", key ?? null],
    queryFn: ({ signal }) => client.design.readRemoved(key, signal),
  });

const COMPUTING_EVERY_MS = 2_000;

/** Asked again for as long as something is being computed. */
export const computingQuery = (key: string) =>
  queryOptions({
    queryKey: ["design", "computing", key],
    queryFn: ({ signal }) => client.design.readComputing(key, signal),
    refetchInterval: ({ state }) => (state.data && state.data.length > 0 ? COMPUTING_EVERY_MS : false),
  });

export const rolesQuery = queryOptions({
  queryKey: ["admin-roles"],
  queryFn: ({ signal }) => client.administration.listRoles(signal),
});

/** Kept with the lists of policies, and forgotten with them. */
export const policyOfQuery = (key: string) =>
  queryOptions({
    queryKey: ["list", "access_controls/policies", "of", key],
    queryFn: async ({ signal }) => (await client.design.findPolicy(key, signal)) ?? null,
    staleTime: 0,
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
