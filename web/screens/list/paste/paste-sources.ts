// Where a paste looks things up: the records as they stand, those that are called so, and the rules of the form.
import type { QueryClient } from "@tanstack/react-query";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { recordQuery, schemaQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import type { PasteSources } from "./prepare-paste.ts";

export const sourcesOf = (queryClient: QueryClient, recordTypeKey: string): PasteSources => ({
  current: (ids, columns) => client.records.readCurrent(recordTypeKey, ids, columns),
  named: async (to, names) => {
    try {
      const { recordType } = await queryClient.ensureQueryData(schemaQuery(to));
      return await client.records.findByNames(to, recordType.display_field, names);
    } catch (error) {
      // Who may not look at those records finds none of them.
      if (error instanceof WireFailure && error.status < 500) return new Map();
      throw error;
    }
  },
  rules: async (id) => {
    try {
      return (
        (await queryClient.fetchQuery({ ...recordQuery(recordTypeKey, "edit", id), staleTime: 60_000 })).filterRules ??
        {}
      );
    } catch (error) {
      // One that may not be edited has no form for it; the service checks all the same.
      if (error instanceof WireFailure && error.status < 500) return {};
      throw error;
    }
  },
});
