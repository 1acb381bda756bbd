import { expect, test } from "vitest";
import { grantWrite } from "../access/grant.ts";
import type { ImportSpec } from "../imports/spec.ts";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { testCaller } from "../plan/column-fixture.ts";
import { importGrants, importWrites, undoneAs } from "./import.ts";
import { bulkKinds } from "./kinds.ts";
import { Refused } from "./refused.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const leads = requireType(snapshot, "crm/leads");
const untouched = new Proxy({}, { get: () => () => Promise.reject(new Error("nothing may be asked of the database")) });

test("who upserts or imports is asked for the right to add and the right to edit, each time anew", async () => {
  const grantedTo = (...operations: ("add" | "edit")[]) => testCaller({ operations: { "*": ["bulk", ...operations] } });
  const [adds, edits, both] = [grantedTo("add"), grantedTo("edit"), grantedTo("add", "edit")];
  const work = { transaction: untouched as never, snapshot, caller: edits, hooks: {}, accessChanges: new Set<never>() };
  const upsert = bulkKinds.upsert.run(
    {
      work,
      grant: grantWrite(edits, leads, "edit", {}),
      input: { atomic: false, upsert: { key: ["email"], adds: true } },
    },
    { number: 0, ids: [], rows: [["0", '{"email":"a@b.example"}']] },
  );
  await expect(upsert).rejects.toMatchObject({ code: "operation_forbidden" });
  const spec = (mode: ImportSpec["mode"]) => ({ mode }) as ImportSpec;
  expect(() => importGrants(grantWrite(adds, leads, "add", {}), spec("upsert"))).toThrow(
    expect.objectContaining({ code: "operation_forbidden" }),
  );
  const granted = (mode: ImportSpec["mode"]) => {
    const { add, edit } = importGrants(grantWrite(both, leads, importWrites(spec(mode)), {}), spec(mode));
    return [add?.operation, edit?.operation, undoneAs(spec(mode))];
  };
  expect((["add", "skip", "update", "upsert"] as const).map(granted)).toEqual([
    ["add", undefined, "add"],
    ["add", undefined, "add"],
    [undefined, "edit", "edit"],
    ["add", "edit", "upsert"],
  ]);
});

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
