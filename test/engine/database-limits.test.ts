// What PostgreSQL says of its limits: a record that has no room is told of, anything else is a fault of the service.
import pg from "pg";
import { expect, test } from "vitest";
import { translateError } from "../../server/database/errors.ts";

const error = (message: string, routine?: string) =>
  Object.assign(new pg.DatabaseError(message, 0, "error"), { code: "54000", routine });

test.each([
  ["row is too big: size 9016, maximum size 8160", undefined],
  ['index row size 2720 exceeds btree version 4 maximum 2704 for index "things__name"', undefined],
  ["index row requires 12016 bytes, maximum size is 8191", undefined],
  ["Zeile ist zu groß: Größe 9016, Maximalgröße 8160", "RelationGetBufferForTuple"],
])("a record is too large: %s", (message, routine) => {
  expect(translateError(error(message, routine))).toMatchObject({ code: "record_too_large" });
});

test.each([
  "database is not accepting commands that assign new transaction IDs to avoid wraparound data loss",
  'multixact "members" limit exceeded',
  "target lists can have at most 1664 entries",
])("a limit that no record is to blame for: %s", (message) => {
  const thrown = error(message, "GetNewTransactionId");
  expect(translateError(thrown)).toBe(thrown);
});
