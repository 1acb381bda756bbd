// Checks an import as it is chosen now: nothing is written. What it finds is told by its job.
import { useQueryClient } from "@tanstack/react-query";
import type { FoundFile } from "../../../client/records/imports.ts";
import { useWrite } from "../../parts/use-write.ts";
import { jobsQuery } from "../../queries.ts";
import { client } from "../../session/session.ts";
import { requestOf } from "./choices.ts";
import { type Change, type Kept, sameImport } from "./kept.ts";

export function useCheck(key: string, kept: Kept, found: FoundFile, change: (change: Change) => void) {
  const queryClient = useQueryClient();
  return useWrite({
    mutationFn: () => client.imports.runImport(key, requestOf(kept, found, true)),
    onSuccess: ({ jobId }) => {
      void queryClient.invalidateQueries({ queryKey: jobsQuery.queryKey });
      // Something else was chosen meanwhile: that was not checked.
      change((now) =>
        sameImport(now, kept) ? { ...now, check: { jobId, corrections: kept.choices.corrections } } : now,
      );
    },
  });
}
