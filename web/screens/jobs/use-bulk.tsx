// Runs a change to many records: says what happened with the way back, or shows the job that goes on by itself.
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { BulkAnswer } from "../../../client/records/bulk.ts";
import { useWrite } from "../../parts/use-write.ts";
import { watchJob } from "./watch-job.tsx";

export function useBulk(recordTypeKey: string, ask: () => Promise<BulkAnswer>, onDone: () => void) {
  const queryClient = useQueryClient();
  const { t } = useTranslation();
  return useWrite({
    mutationFn: ask,
    onSuccess: (answer) => {
      onDone();
      watchJob(queryClient, t, recordTypeKey, answer);
    },
  });
}
