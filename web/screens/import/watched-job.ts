// A job that is asked for again until it is over.
import { isOver, type Job } from "../../../client/records/jobs.ts";
import { jobQuery } from "../../queries.ts";

const EVERY_MS = 700;

export const watchedJobQuery = (id: string) => ({
  ...jobQuery(id),
  refetchInterval: ({ state: { data } }: { state: { data: Job | undefined } }) =>
    data && isOver(data) ? (false as const) : EVERY_MS,
});
