import { expect, test } from "vitest";
import type { MatrixRow } from "../../../../client/people/administration.ts";
import { allowedFor, changesOf, codeOf, draftOf, fieldChangesOf, followed, started, toggled } from "./matrix-draft.ts";

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

test("a type that is chosen has a row as it was allowed so far; rules for fields are compared by their ids", () => {
  expect(changesOf(rows, started(draftOf(rows), "core/addresses")).changed).toEqual([
    { id: undefined, recordType: "core/addresses", operations: ["index", "view"] },
  ]);
  const stored = [
    { id: "1", recordType: "crm/leads", field: "score", permission: "1" },
    { id: "2", recordType: "crm/leads", field: "email", permission: "4" },
  ] as const;
  const [score, email] = stored;
  expect(fieldChangesOf(stored, stored).count).toBe(0);
  const changed = { ...score, permission: "2" } as const;
  expect(fieldChangesOf(stored, [changed])).toEqual({ fields: [changed], fieldsGivenUp: [email.id], count: 2 });
});

test.each([
  ["Field technician", "field_technician"],
  ["2nd Línea — Überblick!", "nd_linea_uberblick"],
  ["فريق", ""],
])("a role called %s has the code %s", (name, code) => {
  expect(codeOf(name)).toBe(code);
});
