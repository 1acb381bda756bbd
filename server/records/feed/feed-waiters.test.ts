// How many can follow changes over one process, and what the next one is told.
import { expect, test } from "vitest";
import type { Database } from "../../database/database.ts";
import { createFeedWaiters } from "./feed-waiters.ts";

test("the limit of a person is told as theirs, that of the process as nobody's", () => {
  const feed = createFeedWaiters({} as Database, () => undefined);
  for (let stream = 0; stream < 20; stream += 1) feed.enter("first");
  expect(() => feed.enter("first")).toThrow(/^You already follow changes over 20 connections/u);
  const leave = feed.enter("second");
  for (let stream = 21; stream < 2_000; stream += 1) feed.enter(`user ${stream}`);
  expect(() => feed.enter("last")).toThrow(/^The service has too many open streams/u);
  leave();
  feed.enter("last");
  feed.close();
});
