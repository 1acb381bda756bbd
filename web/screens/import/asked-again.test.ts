import { expect, test } from "vitest";
import { Unreachable, WireFailure } from "../../../client/transport/wire-failure.ts";
import { askedAgainAfter } from "./asked-again.ts";

const job = { state: "running", hasResult: false, undoneBy: null } as const;
const failure = (status: number) => new WireFailure(status, {}, new Headers());

test.each([
  ["nothing known yet", undefined, null, true],
  ["under way", job, null, true],
  ["under way, the service away", job, new Unreachable(""), true],
  ["over", { ...job, state: "done" } as const, null, false],
  ["stopped, at its last records", { ...job, state: "cancelled" } as const, null, true],
  ["not there", undefined, failure(404), false],
  ["not open to the reader", job, failure(403), false],
])("a job is asked for again: %s", (_, data, error, isAsked) => {
  expect(askedAgainAfter({ data, error }) !== false).toBe(isAsked);
});
