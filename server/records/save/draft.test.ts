// A row between being sent and being written, without a database: what of it is taken, what is refused at which field, and
// which of many can be saved together.
import { describe, expect, test } from "vitest";
import type { Caller } from "../../access/caller.ts";
import { grantWithin } from "../../access/grant.ts";
import { childTypeOf, type OwnedAssociation } from "../../metadata/associations.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { buildSnapshot, requireType } from "../../metadata/snapshot.ts";
import { builtInTypes } from "../../modules/index.ts";
import { testCaller } from "../../plan/column-fixture.ts";
import { planSave } from "../../plan/plan-write.ts";
import type { Tree } from "../../request/tree.ts";
import { changesOf, readChanges } from "../history/revisions.ts";
import type { RecordHooks } from "../hooks.ts";
import { choiceFaults } from "../read/record-choices.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { madeOf, madeText } from "../workflow/stage-log.ts";
import { canBatch, claimsOf, columnsToRead, needsOwnLook, stepsAlone } from "./batch.ts";
import { type DraftSource, draftRow, initialRow, isChangedField, lacksRequired } from "./draft.ts";
import { startingValue } from "./starting-value.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const leads = requireType(snapshot, "crm/leads");
const administrator = testCaller();
const narrow = testCaller({
  operations: { "*": ["add", "edit"] },
  fields: { "crm/leads": { rating: 4, score: 1 }, "core/addresses": { city: 4 } },
});

const planOf = (
  sent: Tree,
  { caller = administrator as Caller, type = leads as RecordType, id = undefined as string | undefined } = {},
) => planSave(snapshot, grantWithin(caller, type, id === undefined ? "add" : "edit", {}), { id, sent });
const form = (more: Partial<NonNullable<DraftSource["form"]>> = {}) =>
  ({
    hidden: new Set<string>(),
    permissionOf: () => 2,
    isRequired: (name: string) => leads.field.get(name)?.required ?? false,
    reads: new Set<string>(),
    defaults: new Map<string, string>(),
    ...more,
  }) as NonNullable<DraftSource["form"]>;
const stored = (row: ColumnValues) => ({ row: { id: "5", revision: "3", deleted: "0", ...row }, aclId: "9" });

/** A draft of the record itself. */
function drafted(sent: Tree, more: Partial<Omit<DraftSource, "plan">> & { caller?: Caller } = {}) {
  const { caller, ...rest } = more;
  const { write } = planOf(sent, { ...(caller ? { caller } : {}), id: rest.stored ? "5" : undefined });
  return draftRow({
    plan: write,
    hooks: {},
    association: undefined,
    stored: undefined,
    initial: {},
    form: form(),
    ...rest,
  });
}
const codes = (errors: Readonly<Record<string, readonly { readonly code: string }[]>>) =>
  Object.fromEntries(Object.entries(errors).map(([key, said]) => [key, said.map(({ code }) => code).join()]));

describe("a draft of a record", () => {
  test("starts from what is there, takes what was sent, and knows what it is", () => {
    const edit = drafted({ city: "Ulm" }, { stored: stored({ last_name: "A", status: "new", city: "Bonn" }) });
    expect(edit).toMatchObject({ operation: "edit", id: "5", aclId: "9", errors: {}, before: { city: "Bonn" } });
    expect(edit.after).toMatchObject({ last_name: "A", city: "Ulm", revision: "3" });
    const added = drafted({ last_name: "A", status: "new" }, { initial: { city: "Bonn" } });
    expect(added).toMatchObject({ operation: "add", id: undefined, aclId: null, before: undefined, errors: {} });
    expect(added.after).toMatchObject({ last_name: "A", city: "Bonn" });
  });

  test("lacks what is required, unless it is not this caller's to fill in", () => {
    expect(codes(drafted({}).errors)).toEqual({ "leads.last_name": "required", "leads.status": "required" });
    const reader = testCaller({ operations: {}, fields: { "crm/leads": { status: 4 } } });
    expect(codes(drafted({}, { caller: reader }).errors)).toEqual({ "leads.last_name": "required" });
    expect(codes(drafted({}, { form: form({ isRequired: (name) => name === "city" }) }).errors)).toEqual({
      "leads.city": "required",
    });
    expect(codes(drafted({}, { form: undefined }).errors)).toMatchObject({ "leads.last_name": "required" });
  });

  test("keeps what the caller may only see, and takes it back unchanged", () => {
    const was = { stored: stored({ last_name: "A", status: "new", rating: "hot", score: "7" }), caller: narrow };
    expect(codes(drafted({ rating: "cold" }, was).errors)).toEqual({ "leads.rating": "not_editable" });
    expect(drafted({ rating: "cold" }, was).after.rating).toBe("hot");
    expect(drafted({ rating: "hot" }, was).errors).toEqual({});
    expect(codes(drafted({ score: "9" }, was).errors)).toEqual({ "leads.score": "unknown_field" });
  });

  test("follows its form: hidden fields are unknown, and conditions see the record as it was sent", () => {
    const base = { last_name: "A", status: "new" };
    const hiding = form({ hidden: new Set(["city"]) });
    expect(codes(drafted({ ...base, city: "Ulm" }, { form: hiding }).errors)).toEqual({
      "leads.city": "unknown_field",
    });
    const byRating = form({
      permissionOf: (name, read) => (name === "city" && read("rating") !== "hot" ? 4 : 2),
      isRequired: (name, read) => name === "campaign" && read("rating") === "hot",
    });
    const warm = { stored: stored({ ...base, rating: "warm" }), form: byRating };
    expect(codes(drafted({ city: "Ulm" }, warm).errors)).toEqual({ "leads.city": "not_editable" });
    expect(codes(drafted({ city: "Ulm", rating: "hot" }, warm).errors)).toEqual({ "leads.campaign": "required" });
    expect(drafted({ city: "Ulm", rating: "hot", campaign: "C" }, warm).errors).toEqual({});
    expect(drafted({ city: "Ulm", rating: "hot", campaign: "C" }, warm).after.city).toBe("Ulm");
  });

  test("works fields out, and takes them as they were or as they come out", () => {
    const hooks: RecordHooks = { computes: ["name"], compute: (row) => ({ name: `Dr ${row.last_name}` }) };
    const was = { hooks, stored: stored({ last_name: "A", status: "new", name: "Dr A" }) };
    expect(drafted({ last_name: "B" }, was).after.name).toBe("Dr B");
    expect(drafted({ last_name: "B", name: "Dr A" }, was).errors).toEqual({});
    expect(drafted({ last_name: "B", name: "Dr B" }, was).errors).toEqual({});
    expect(codes(drafted({ last_name: "B", name: "Dr C" }, was).errors)).toEqual({ "leads.name": "computed" });
  });

  test("keeps what could not be read as a fault, and does not ask for it a second time", () => {
    const faulty = drafted({ last_name: "A", status: "nothing like it" });
    expect(Object.keys(faulty.errors)).toEqual(["leads.status"]);
  });

  test("knows what it changes, and what the service must know first", () => {
    const { after, ...draft } = drafted({ city: "Ulm" }, { stored: stored({ last_name: "A", city: "Bonn" }) });
    const field = (name: string) => leads.field.get(name) as NonNullable<ReturnType<typeof leads.field.get>>;
    const changed = (name: string) => isChangedField({ ...draft, after }, field(name));
    expect([changed("city"), changed("last_name"), changed("campaign")]).toEqual([true, false, false]);
    const required = {
      ...leads,
      fields: leads.fields.map((one) => (one.name === "name" ? { ...one, required: true } : one)),
    };
    const mask = { visible: new Set<string>(), editable: new Set(["last_name"]), key: "" };
    expect(lacksRequired(required, mask, { status: "new" })).toBe(true);
    expect(lacksRequired(required, mask, { status: "new", name: "N" })).toBe(false);
  });
});

describe("a draft of a child", () => {
  const association = leads.association.get("addresses") as OwnedAssociation;
  const addresses = childTypeOf(snapshot, association);
  const child = (sent: Tree, was?: ColumnValues, caller: Caller = administrator) => {
    const plan = planOf({ addresses: [sent] }, { caller }).write.children[0]?.rows[0];
    if (!plan) throw new Error("no row was planned");
    const hooks = {};
    return draftRow({ plan, hooks, association, stored: was && stored(was), initial: {}, form: undefined });
  };

  test("of another record is not there, and has nothing else to be told of", () => {
    expect(codes(child({ id: "5", city: "Ulm" }).errors)).toEqual({ "leads.addresses.0.id": "not_found" });
  });

  test("follows its own type's fields, and needs no tie: its parent is that", () => {
    expect(addresses.field.get("related_id")?.required).toBe(true);
    expect(child({ city: "Ulm", address_line_1: "1 Road", type: "work" }).errors).toEqual({});
    const was = { city: "Bonn", address_line_1: "1 Road", type: "work" };
    const kept = child({ id: "5", city: "Ulm" }, was, narrow);
    expect(codes(kept.errors)).toEqual({ "leads.addresses.0.city": "not_editable" });
    expect(kept.after.city).toBe("Bonn");
  });

  test("that goes is deleted, whatever else is wrong with it", () => {
    const gone = child({ id: "5", deleted: "1", city: "Ulm" }, { city: "Bonn" }, narrow);
    expect(gone).toMatchObject({ operation: "delete", errors: {}, after: { deleted: "1", city: "Bonn" } });
  });
});

describe("what a new record starts with", () => {
  const currency = leads.field.get("currency_id");
  const status = leads.field.get("status");
  if (!currency || !status) throw new Error("leads have a status and a currency");

  const somebody = { userId: "7", timeZone: "Pacific/Kiritimati" };

  test("is worked out for whoever makes it, on their own day", () => {
    const starts = (formula: string, type: "date" | "reference" = "date") => {
      const settings = type === "reference" ? { settings: { to: "access_controls/users" } } : {};
      const definition = builtInTypes.find(({ controller }) => controller === "leads");
      if (!definition) throw new Error("there are leads");
      const fields = [...definition.fields, { name: "x_one", type, initialFormula: formula, ...settings }];
      const types = builtInTypes.map((one) => (one === definition ? { ...one, fields } : one));
      const compiled = requireType(buildSnapshot(types, [], "test"), "crm/leads");
      const field = compiled.field.get("x_one");
      return field && startingValue(compiled, field, { ...somebody, currencyId: "8" });
    };
    const day = new Intl.DateTimeFormat("en-CA", { timeZone: somebody.timeZone }).format(new Date());
    expect([starts("today()"), starts("me()", "reference"), starts("currency()", "reference")]).toEqual([
      day,
      "7",
      "8",
    ]);
    const later = new Date(`${day}T00:00:00Z`);
    later.setUTCDate(later.getUTCDate() + 14);
    expect(starts("today(14)")).toBe(later.toISOString().slice(0, 10));
    expect(() => starts("me()")).toThrow();
    expect(() => starts("created")).toThrow();
    expect(() => starts("today(")).toThrow();
  });

  test("is what the form says, else the type, else the organization's currency for its amounts", () => {
    const said = new Map([["status", "qualified"]]);
    expect(startingValue(leads, status, somebody, said)).toBe("qualified");
    expect(startingValue(leads, status, somebody)).toBe("new");
    expect(startingValue(leads, currency, { ...somebody, currencyId: "8" })).toBe("8");
    expect(startingValue(leads, currency, { ...somebody, currencyId: null })).toBeUndefined();
    const country = leads.field.get("country_id") as typeof currency;
    expect(startingValue(leads, country, { ...somebody, currencyId: "8" })).toBeUndefined();
    expect(initialRow(leads, administrator, said)).toMatchObject({ status: "qualified", do_not_call: "0" });
    expect(initialRow(leads, administrator)).not.toHaveProperty("city");
  });
});

describe("saving many together", () => {
  test("is not for types with checks, consequences or an access of their own", () => {
    const hook = async () => ({});
    const table: readonly (readonly [RecordHooks, string, boolean])[] = [
      [{}, "edit", true],
      [{ check: hook }, "edit", false],
      [{ follow: async () => undefined }, "edit", false],
      [{ changesAccess: "callers" }, "edit", false],
      [{ prepare: hook }, "edit", true],
      [{ prepare: hook }, "add", false],
    ];
    for (const [hooks, operation, together] of table) expect(canBatch(leads, hooks, operation)).toBe(together);
    expect(canBatch(requireType(snapshot, "core/comments"), {}, "edit")).toBe(false);
  });

  test("is not for what brings children, and tells what is compared with other records", () => {
    const was = { stored: stored({ last_name: "A", status: "new", email: "a@b.example", phone: "+49 30 1234" }) };
    const brings = (values: Tree, duplicates = true) => claimsOf(drafted(values, was), duplicates).after;
    expect(needsOwnLook(drafted({ email: "c@d.example" }, was))).toBe(false);
    expect(needsOwnLook(drafted({ addresses: [{ city: "Ulm" }] }, was))).toBe(true);
    expect(brings({ city: "Ulm" })).toEqual([]);
    expect(brings({ email: "C@D.example" })).toEqual(brings({ email: "c@d.example" }));
    expect(brings({ email: "c@d.example" }, false)).toEqual([]);
    expect(claimsOf(drafted({ email: "c@d.example" }, was), true).before).toEqual(
      brings({ email: "a@b.example" }).concat("0 a@b.example"),
    );
    const digits = (number: string) => brings({ phone: number }).at(-1);
    expect(digits("0049 (89) 99-1 ext. 7")).toBe(digits("+49 89 991"));
    expect(digits("4989991x5")).toBe(digits("+49 89 991"));
  });

  test("is not for votes, nor for steps that make records", () => {
    const step = (moved: boolean, ...kinds: string[]) =>
      ({
        taken: { moved, transition: { effects: kinds.map((kind) => ({ kind })) }, state: { stage: { enter: [] } } },
      }) as unknown as Parameters<typeof stepsAlone>[0];
    const table: readonly (readonly [Parameters<typeof stepsAlone>[0], boolean])[] = [
      [{ taken: undefined } as Parameters<typeof stepsAlone>[0], false],
      [step(true), false],
      [step(true, "set", "notify"), false],
      [step(true, "set", "create"), true],
      [step(false), true],
    ];
    for (const [one, alone] of table) expect(stepsAlone(one)).toBe(alone);
  });

  test("reads what a draft can depend on, and no more", () => {
    const plans = [planOf({ city: "Ulm" }, { id: "5" })];
    const columns = columnsToRead(leads, plans, form({ reads: new Set(["campaign"]) }), {}, ["discount", "rating"]);
    expect(columns).toEqual(
      expect.arrayContaining([
        "id",
        "revision",
        "owned_by",
        "current_stage",
        "last_name",
        "city",
        "campaign",
        "rating",
      ]),
    );
    expect(columns).not.toContain("description");
    const computing = { compute: () => ({}), computes: ["name"] };
    expect(columnsToRead(leads, plans, form(), { ...computing, computesFrom: ["first_name"] }, [])).toEqual(
      expect.arrayContaining(["name", "first_name"]),
    );
    expect(columnsToRead(leads, plans, form(), computing, [])).toContain("description");
  });
});

describe("history", () => {
  test("tells what changed in wire values, and nothing that moves with every change", () => {
    const before = { last_name: "A", revision: "1", modified: "2026-01-01 00:00:00", city: "Bonn" };
    const after = { ...before, last_name: "B", revision: "2", modified: "2026-01-02 00:00:00" };
    expect(changesOf(leads, before, after)).toEqual({ last_name: { from: "A", to: "B" } });
    expect(changesOf(leads, undefined, { last_name: "A" })).toEqual({ last_name: { from: null, to: "A" } });
  });

  test("is read back with what went along apart", () => {
    const text = JSON.stringify({ city: { from: null, to: "Ulm" }, __along: { "core/addresses": ["1", "2"] } });
    expect(readChanges(leads, text)).toEqual({
      changes: { city: { from: null, to: "Ulm" } },
      along: { "core/addresses": ["1", "2"] },
    });
    expect(readChanges(leads, null)).toEqual({ changes: {}, along: {} });
  });

  test("of a step names what it made", () => {
    const made = [
      { key: "crm/companies", id: "12" },
      { key: "crm/peoples", id: "7" },
    ];
    expect(madeText(made)).toBe("crm/companies:12 crm/peoples:7");
    expect(madeOf(madeText(made))).toEqual(made);
    expect([madeText([]), madeOf(null), madeOf("")]).toEqual([null, [], []]);
  });
});

test("choices about records are about what is created, and about what is offered", () => {
  const create = (as: string | undefined, ...offers: ("existing" | "skip")[]) =>
    ({ kind: "create", when: undefined, type: "crm/companies", as, offers: new Set(offers), values: [] }) as const;
  const effects = [create("company", "existing"), create("person", "skip"), create(undefined, "skip")];
  const faults = (choices: Record<string, string>, of: Parameters<typeof choiceFaults>[1] = effects) =>
    codesOf(choiceFaults(new Map(Object.entries(choices).map(([name, use]) => [name, { use, merge: false }])), of));
  const codesOf = (found: Readonly<Record<string, { readonly code: string }>>) =>
    Object.fromEntries(Object.entries(found).map(([name, { code }]) => [name, code]));
  expect(faults({ company: "12", person: "none" })).toEqual({});
  expect(faults({ company: "new", person: "new" })).toEqual({});
  expect(faults({ company: "none", person: "12" })).toEqual({ company: "not_skippable", person: "always_new" });
  expect(faults({ other: "new" })).toEqual({ other: "no_such_choice" });
  expect(faults({ company: "new" }, [])).toEqual({ company: "no_such_choice" });
});
