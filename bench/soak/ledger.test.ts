// What may stand in the database after answers that came, and answers that did not.
import { expect, test } from "vitest";
import { openLedger, settle } from "./ledger.ts";

test("an acknowledged value stands alone, a refused one changes nothing, an unknown one may be either", () => {
  expect(settle(["a"], "b", "done")).toEqual(["b"]);
  expect(settle(["a"], "b", "refused")).toEqual(["a"]);
  expect(settle(["a"], "b", "unknown")).toEqual(["a", "b"]);
  expect(settle(settle(["a"], "b", "unknown"), "c", "done")).toEqual(["c"]);
  expect(settle(settle(["a"], "b", "unknown"), "b", "unknown")).toEqual(["a", "b"]);
});

test("what was added is there with its value", () => {
  const ledger = openLedger();
  ledger.added("1", "7", "x");
  expect(ledger.records).toEqual([{ organizationId: "1", id: "7", values: ["x"], deleted: ["0"] }]);
});
