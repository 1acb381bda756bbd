import { expect, test } from "vitest";
import type { MatrixRow } from "../../../../client/people/administration.ts";
import {
  allowedFor,
  changesOf,
  codeOf,
  draftOf,
  fieldChangesOf,
  followed,
  heldRole,
  isContradicted,
  rebased,
  rebasedRules,
  started,
  takenUp,
  toggled,
} from "./matrix-draft.ts";

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

test("what is not saved yet stays when the role is read anew; what others changed meanwhile is neither lost nor taken back", () => {
  const now: readonly MatrixRow[] = [
    { id: "1", recordType: "*", operations: ["index"] },
    { id: "2", recordType: "crm/leads", operations: ["index", "edit", "delete"] },
    { id: "3", recordType: "crm/peoples", operations: ["view"] },
    { id: "4", recordType: "crm/parts", operations: ["index"] },
  ];
  const draft = toggled(toggled(draftOf(rows), "crm/leads", "export"), "crm/parts", "add");
  const next = rebased(rows, now, draft);
  expect(changesOf(now, next)).toEqual({
    changed: [
      { id: "2", recordType: "crm/leads", operations: ["index", "edit", "delete", "export"] },
      { id: "4", recordType: "crm/parts", operations: ["index", "add"] },
    ],
    givenUp: [],
    count: 2,
  });
  const lead = draftOf(rows.slice(1));
  expect(changesOf(now, rebased(rows, now, lead))).toEqual({ changed: [], givenUp: ["1"], count: 1 });
  // Gone meanwhile: what was not touched goes along.
  expect(changesOf([], rebased(rows, [], followed(draftOf(rows), "crm/leads"))).count).toBe(0);
});

test("rules for fields that are not saved yet stay when they are read anew, with the ids that they have by now", () => {
  const rule = (id: string | undefined, field: string, permission: "1" | "2" | "4") => ({
    ...{ id, recordType: "crm/leads" as const, field, permission },
  });
  const before = [rule("1", "score", "1"), rule("2", "email", "4"), rule("3", "phone", "1")];
  const mine = [rule("1", "score", "2"), rule("3", "phone", "1"), rule(undefined, "source", "4")];
  const now = [rule("1", "score", "4"), rule("2", "email", "4"), rule("5", "source", "1"), rule("6", "city", "1")];
  expect(rebasedRules(before, now, mine)).toEqual([
    rule("1", "score", "2"),
    rule("5", "source", "4"),
    rule("6", "city", "1"),
  ]);
});

test("what is not saved yet is taken up again, on top of what others saved meanwhile", () => {
  const rule = { id: undefined, recordType: "crm/leads" as const, field: "score", permission: "1" as const };
  const stored = { rows, fields: [] };
  const held = heldRole(stored, toggled(draftOf(rows), "crm/leads", "export"), [rule]);
  const now = {
    rows: [...rows, { id: "3", recordType: "crm/parts" as const, operations: ["add" as const] }],
    fields: [],
  };
  const { draft, fields } = takenUp(held, now);
  expect(changesOf(now.rows, draft)).toMatchObject({ changed: [{ id: "2" }], givenUp: [], count: 1 });
  expect([...allowedFor(draft, "crm/leads")].sort()).toEqual(["edit", "export", "index"]);
  expect(fieldChangesOf(now.fields, fields)).toMatchObject({ fields: [rule], count: 1 });
  const untouched = takenUp(null, now);
  expect([changesOf(now.rows, untouched.draft).count, untouched.fields]).toEqual([0, []]);
});

test.each([
  ["Field technician", "field_technician"],
  ["2nd Línea — Überblick!", "nd_linea_uberblick"],
  ["فريق", ""],
])("a role called %s has the code %s", (name, code) => {
  expect(codeOf(name)).toBe(code);
});

test("two who change the same row lose nothing: each operation is as whoever changed it has it", () => {
  const draft = toggled(toggled(draftOf(rows), "crm/leads", "export"), "crm/parts", "add");
  const now: readonly MatrixRow[] = [
    { id: "1", recordType: "*", operations: ["index", "view"] },
    { id: "2", recordType: "crm/leads", operations: ["index", "delete"] },
    { id: "3", recordType: "crm/parts", operations: ["index", "view", "edit"] },
  ];
  const { changed } = changesOf(rows, draft);
  expect([isContradicted(rows, rows, changed), isContradicted(rows, now, changed)]).toEqual([false, true]);
  const next = rebased(rows, now, draft);
  expect([...allowedFor(next, "crm/leads")].sort()).toEqual(["delete", "export", "index"]);
  expect([...allowedFor(next, "crm/parts")].sort()).toEqual(["add", "edit", "index", "view"]);
  expect(changesOf(now, next).changed.map(({ id }) => id)).toEqual(["2", "3"]);
});
