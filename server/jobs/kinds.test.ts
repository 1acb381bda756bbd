import { expect, test } from "vitest";
import { grantWrite } from "../access/grant.ts";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { testCaller } from "../plan/column-fixture.ts";
import { bulkKinds } from "./kinds.ts";
import { Refused } from "./refused.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const leads = requireType(snapshot, "crm/leads");
const untouched = new Proxy({}, { get: () => () => Promise.reject(new Error("nothing may be asked of the database")) });

test("somebody who is no administrator any more moves no record to another version of a workflow", async () => {
  const caller = testCaller({ operations: { "*": ["view", "edit", "bulk"] } });
  const work = { transaction: untouched as never, snapshot, caller, hooks: {}, accessChanges: new Set<never>() };
  const input = { atomic: false, move: { version: "2", stages: {} } };
  const moving = bulkKinds.move.run(
    { work, grant: grantWrite(caller, leads, "edit", {}), input },
    { number: 0, ids: ["1"], rows: [] },
  );
  await expect(moving).rejects.toBeInstanceOf(Refused);
});
