import { expect, test } from "vitest";
import type { MatrixRow } from "../../../client/people/administration.ts";
import { allowedFor, changesOf, draftOf, followed, toggled } from "./matrix-draft.ts";

const rows: readonly MatrixRow[] = [
  { id: "1", recordType: "*", operations: ["index", "view"] },
  { id: "2", recordType: "crm/leads", operations: ["index", "edit"] },
];

test("a type without a row of its own follows the general one, and starts from it when it gets one", () => {
  const draft = draftOf(rows);
  expect([...allowedFor(draft, "crm/peoples")]).toEqual(["index", "view"]);
  const changed = toggled(draft, "crm/peoples", "edit");
  expect([...allowedFor(changed, "crm/peoples")]).toEqual(["index", "view", "edit"]);
  expect(changesOf(rows, changed).changed).toEqual([
    { id: undefined, recordType: "crm/peoples", operations: ["index", "view", "edit"] },
  ]);
});

test("what is back to where it was is no change; a row that is given up is", () => {
  const twice = toggled(toggled(draftOf(rows), "crm/leads", "delete"), "crm/leads", "delete");
  expect(changesOf(rows, twice).count).toBe(0);
  expect(changesOf(rows, followed(draftOf(rows), "crm/leads"))).toMatchObject({ changed: [], givenUp: ["2"] });
});
