// A job that is asked for again until nothing of it changes any more.
import type { Job } from "../../../client/records/jobs.ts";
import { jobQuery } from "../../queries.ts";
import { askedAgainAfter } from "./asked-again.ts";

export const watchedJobQuery = (id: string) => ({
  ...jobQuery(id),
  refetchInterval: ({ state }: { state: { data: Job | undefined; error: unknown } }) => askedAgainAfter(state),
});
