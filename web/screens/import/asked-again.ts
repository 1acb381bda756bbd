// How soon a job is asked for again: until it is over and nothing of it changes any more, or it can't be read at all.
import { isSettled, type Job } from "../../../client/records/jobs.ts";
import { isGone } from "../../query-client.ts";

const EVERY_MS = 700;

interface Asked {
  readonly data: Pick<Job, "state" | "hasResult" | "undoneBy"> | undefined;
  readonly error: unknown;
}

export const askedAgainAfter = ({ data, error }: Asked): number | false =>
  (data && isSettled(data)) || isGone(error) ? false : EVERY_MS;
