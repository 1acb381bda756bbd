// A job that is asked for again until it is over and nothing of it changes any more.
import { isSettled, type Job } from "../../../client/records/jobs.ts";
import { jobQuery } from "../../queries.ts";

const EVERY_MS = 700;

export const watchedJobQuery = (id: string) => ({
  ...jobQuery(id),
  refetchInterval: ({ state: { data } }: { state: { data: Job | undefined } }) =>
    data && isSettled(data) ? (false as const) : EVERY_MS,
});
