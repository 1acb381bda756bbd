// Runs a change to many records: says what happened with the way back, or shows the job that goes on by itself.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { BulkAnswer } from "../../../client/bulk.ts";
import { WireFailure } from "../../../client/wire-failure.ts";
import { watchJob } from "./watch-job.tsx";

/** All that the service said. */
export const reasonsOf = (error: Error): readonly string[] =>
  error instanceof WireFailure && error.errors.length > 0 ? error.errors : [error.message];

export function useBulk(recordTypeKey: string, ask: () => Promise<BulkAnswer>, onDone: () => void) {
  const queryClient = useQueryClient();
  const { t } = useTranslation();
  return useMutation({
    mutationFn: ask,
    onSuccess: (answer) => {
      onDone();
      watchJob(queryClient, t, recordTypeKey, answer);
    },
  });
}
