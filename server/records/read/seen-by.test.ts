// What a view tells of a record depends on who reads it, and is never given to somebody else.
import { expect, test } from "vitest";
import { fieldMask } from "../../access/field-mask.ts";
import type { CompiledForm } from "../../forms/compile-form.ts";
import { buildSnapshot, requireType } from "../../metadata/snapshot.ts";
import { builtInTypes } from "../../modules/index.ts";
import { testCaller } from "../../plan/column-fixture.ts";
import { emptyRecord } from "./empty-record.ts";
import { modelFacts } from "./model-facts.ts";
import { chosenRecord } from "./record-choices.ts";
import { createViewCache } from "./view-cache.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const leads = requireType(snapshot, "crm/leads");

test("a reference that is hidden is no association of the type either", () => {
  const reference = leads.associations.find(
    (one) => one.kind === "belongs-to" && leads.field.get(one.via)?.system !== true,
  );
  if (reference?.kind !== "belongs-to") throw new Error("leads refer to nothing");
  const named = (caller: ReturnType<typeof testCaller>) =>
    Object.keys(JSON.parse(modelFacts(leads, fieldMask(leads, caller)).associations.toString()).belongsTo);
  const operations = { "*": ["view"] } as const;
  expect(named(testCaller({ operations }))).toContain(reference.name);
  expect(named(testCaller({ operations, fields: { "crm/leads": { [reference.via]: 1 } } }))).not.toContain(
    reference.name,
  );
});

test.each([
  { operations: ["view", "edit"], edit: false },
  { operations: ["view", "add"], edit: true },
] as const)("a new record can be filled in by who may $operations: $edit", async ({ operations, edit }) => {
  const caller = testCaller({ operations: { "*": [...operations] } });
  const form = { defaults: new Map() } as unknown as CompiledForm; // nothing else of it is read
  const { rights } = await emptyRecord(async () => [], snapshot, leads, caller, form);
  expect(rights).toEqual({ edit, delete: false, comment: false });
});

test("a kept view is given to the same caller alone: not once its access was read anew", async () => {
  const cache = createViewCache({ prepared: async () => [["1"]] } as never);
  let reads = 0;
  const read = async () => {
    reads += 1;
    return { body: {}, written: {} };
  };
  const caller = testCaller();
  const key = { caller, snapshot, type: leads, mode: "view", id: "1" } as const;
  for (let times = 0; times < 3; times += 1) await cache.view(key, read);
  expect(reads).toBe(2);
  await cache.view({ ...key, caller: { ...caller } }, read);
  expect(reads).toBe(3);
});

test("what an existing record lacks is filled in by who may edit its type, and by nobody else", async () => {
  const transaction = { run: () => Promise.reject(new Error("the database was asked")) } as never;
  const choose = (merge: boolean) => {
    const caller = testCaller({ operations: { "*": ["view"] } });
    const work = { transaction, snapshot, caller, hooks: {}, accessChanges: new Set<never>() };
    return chosenRecord(work, leads, { use: "1", merge }, {}, async () => undefined);
  };
  await expect(choose(false)).rejects.toThrow("the database was asked");
  await expect(choose(true)).rejects.toMatchObject({ code: "operation_forbidden" });
});
