// The rule of who may do what, as data and as answers: record types of every kind against people of every kind.
import { describe, expect, test } from "vitest";
import type { MatrixOperation } from "../../contract/permissions.ts";
import { matrixOperations } from "../../contract/permissions.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { testCaller } from "../plan/column-fixture.ts";
import { rightsOf } from "./caller.ts";
import { asRole, elevate, serviceCaller } from "./elevate.ts";
import { fieldMask, fieldPermission } from "./field-mask.ts";
import { hiddenByForm } from "./hidden-by-form.ts";
import { authorize, isReadOnly, matrixOf, mayDesign, mayDesignForms } from "./matrix.ts";
import {
  holds,
  isAmong,
  isHeldBack,
  isPermitted,
  looks,
  mayLook,
  permitOf,
  refusalOf,
  ruleOf,
  tiesToSubject,
} from "./rule.ts";
import { speaking, strangersLanguage } from "./spoken-language.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const leads = requireType(snapshot, "crm/leads");
const countries = requireType(snapshot, "masters/countries");
const comments = requireType(snapshot, "core/comments");
const audit = requireType(snapshot, "access_controls/audit_events");
const secret: RecordType = { ...leads, confidential: true };
const refusing = (refuses: RecordType["refuses"]): RecordType => ({ ...leads, refuses });

const administrator = testCaller();
const operator = testCaller({ isOperator: true });
const clerk = testCaller({ operations: { "crm/leads": ["view", "edit"], "*": ["index"] } });
const stranger = testCaller({ operations: {} });

describe("the rule of a record type", () => {
  test("lets administrators past all sets, but not past confidential ones, nor past what is about them", () => {
    expect(ruleOf(leads, "read")).toEqual({
      walled: true,
      operation: undefined,
      passes: "administrators",
      unlessAbout: [],
      named: ["readers"],
      needs: [],
    });
    expect(ruleOf(secret, "edit")).toMatchObject({ passes: "nobody", operation: "edit" });
    const about = { ...leads, about: { field: "related_type", confidential: new Set(["lab/secrets"]) } };
    expect(ruleOf(about, "read").unlessAbout).toEqual(["lab/secrets"]);
    expect(ruleOf(comments, "read").needs).toEqual(["view", "index"]);
    expect(ruleOf(requireType(snapshot, "core/import_mappings"), "read").needs).toEqual(["import"]);
  });

  test("keeps what is about a record from those whom its own policy names, unless it follows or asks the type", () => {
    const about = { field: "related_type", confidential: new Set(["lab/secrets"]) };
    const ties = (type: RecordType) => ["lab/secrets", "crm/leads"].map((subject) => tiesToSubject(type, subject));
    expect(ties({ ...leads, about })).toEqual([true, true]);
    expect(ties({ ...leads, about: { ...about, needs: "import" } })).toEqual([true, false]);
    expect(ties(leads)).toEqual([true, true]);
    expect(ties({ ...leads, about, follows: "read" })).toEqual([false, false]);
  });

  test("asks the sets for what is held for good and for now", () => {
    expect(ruleOf(leads, "edit").named).toEqual(["_acl_edit", "_acl_tmp_edit"]);
    expect(ruleOf(leads, "delete").named).toEqual(["_acl_delete", "_acl_tmp_delete"]);
    expect(ruleOf(leads, "comment").named).toEqual(["_acl_comment"]);
  });

  test("of what all organizations share is everybody's to read, and the operator's to change", () => {
    const open = { walled: false, unlessAbout: [], named: [], needs: [] };
    expect(ruleOf(countries, "read")).toEqual({ ...open, operation: undefined, passes: "everybody" });
    expect(ruleOf(countries, "edit")).toEqual({ ...open, operation: "edit", passes: "operators" });
  });

  test("tells groups of people apart", () => {
    const people = [operator, administrator, clerk, { ...clerk, isOperator: true }];
    const among = (group: Parameters<typeof isAmong>[0]) => people.map((one) => isAmong(group, one));
    expect(among("everybody")).toEqual([true, true, true, true]);
    expect(among("administrators")).toEqual([true, true, false, false]);
    expect(among("operators")).toEqual([true, false, false, false]);
    expect(among("nobody")).toEqual([false, false, false, false]);
  });
});

describe("the role matrix", () => {
  const byRole = { always: "administrators", byRole: true };
  const nobody = { always: "nobody", byRole: false };
  const permits = (type: RecordType, ...operations: MatrixOperation[]) =>
    operations.map((operation) => permitOf(type, operation));

  test("is asked of ordinary types, by a role's own entry before that for all", () => {
    for (const operation of matrixOperations) expect(permitOf(leads, operation)).toEqual(byRole);
    expect(matrixOf(clerk, leads)).toMatchObject({ view: 1, edit: 1, index: 0, add: 0, delete: 0, bulk: 0 });
    const companies = requireType(snapshot, "crm/companies");
    expect(matrixOf(clerk, companies)).toMatchObject({ index: 1, view: 0, edit: 0 });
    expect(Object.values(matrixOf(administrator, leads)).every((one) => one === 1)).toBe(true);
    expect(Object.values(matrixOf(stranger, leads)).every((one) => one === 0)).toBe(true);
  });

  test("lets any of several roles allow it", () => {
    const [role] = clerk.roles;
    const two = { ...clerk, roles: [...stranger.roles, ...(role ? [role] : [])] };
    expect([isPermitted(two, leads, "edit"), isPermitted(two, leads, "delete")]).toEqual([true, false]);
  });

  test("of shared types allows roles to look, and the operator the rest", () => {
    expect(permits(countries, "index", "view", "export")).toEqual([byRole, byRole, byRole]);
    for (const operation of ["add", "edit", "delete", "bulk", "import", "design"] as const)
      expect(permitOf(countries, operation)).toEqual({ always: "operators", byRole: false });
  });

  test("of append-only types allows nobody to change", () => {
    expect(audit.appendOnly).toBe(true);
    expect(permits({ ...leads, appendOnly: true }, "edit", "delete", "bulk", "import")).toEqual([
      nobody,
      nobody,
      nobody,
      nobody,
    ]);
    expect(permits({ ...leads, appendOnly: true }, "add", "index", "view")).toEqual([byRole, byRole, byRole]);
  });

  test("of what is attached to records leaves it to the record", () => {
    const everybody = { always: "everybody", byRole: false };
    for (const operation of ["index", "view", "add", "edit", "delete"] as const)
      expect(permitOf({ ...comments, refuses: {} }, operation)).toEqual(everybody);
    for (const operation of ["export", "bulk"] as const)
      expect(permitOf({ ...comments, refuses: {} }, operation)).toEqual(byRole);
  });

  test("gives way to what a type refuses: importing is adding, bulk is every change", () => {
    const all = { add: "a", edit: "e", delete: "d" };
    const told = (type: RecordType) =>
      matrixOperations.map((one) => [one, refusalOf(type, one)]).filter(([, no]) => no);
    expect(told(refusing({ add: "a" }))).toEqual([
      ["add", "a"],
      ["import", "a"],
    ]);
    expect(told(refusing({ edit: "e" }))).toEqual([["edit", "e"]]);
    expect(told(refusing({ edit: "e", delete: "d" }))).toEqual([
      ["edit", "e"],
      ["delete", "d"],
    ]);
    expect(told(refusing({ add: "a", edit: "e" })).map(([one]) => one)).toEqual(["add", "edit", "import"]);
    expect(Object.fromEntries(told(refusing(all)))).toEqual({
      add: "a",
      edit: "e",
      delete: "d",
      import: "a",
      bulk: "a",
    });
    expect(permitOf(refusing(all), "edit")).toEqual(nobody);
  });
});

describe("what a caller is told", () => {
  const codeOf = (run: () => void): unknown => {
    try {
      run();
      return "let in";
    } catch (error) {
      return (error as { code?: unknown }).code;
    }
  };

  test("is why it is not let in", () => {
    expect(codeOf(() => authorize(clerk, leads, "edit"))).toBe("let in");
    expect(codeOf(() => authorize(clerk, leads, "delete"))).toBe("operation_forbidden");
    expect(codeOf(() => authorize(clerk, leads, "design"))).toBe("form_designer_required");
    expect(codeOf(() => authorize(clerk, refusing({ delete: "refuses_key_edit" }), "delete"))).toBe("conflict");
    expect(() => authorize(clerk, leads, "bulk")).toThrow(
      expect.objectContaining({
        code: "operation_forbidden",
        detail: expect.objectContaining({ errors: [{ code: "bulk_role_missing", params: { type: "leads" } }] }),
      }),
    );
  });

  test("is who designs: forms by role, types by the operator's administrators", () => {
    const designer = testCaller({ operations: { "crm/leads": ["design"] } });
    expect([mayDesignForms(designer, "crm/leads"), mayDesignForms(designer, "crm/companies")]).toEqual([true, false]);
    expect([mayDesignForms(administrator, "crm/leads"), mayDesignForms(clerk, "crm/leads")]).toEqual([true, false]);
    expect([operator, administrator, { ...designer, isOperator: true }].map(mayDesign)).toEqual([true, false, false]);
  });

  test("is what nobody changes, whatever their roles say", () => {
    const table: readonly (readonly [RecordType, boolean, boolean])[] = [
      [leads, false, false],
      [countries, true, true],
      [refusing({ add: "a" }), true, false],
      [refusing({ edit: "e" }), false, true],
      [{ ...leads, appendOnly: true }, false, true],
    ];
    for (const [type, add, edit] of table)
      expect([isReadOnly(type, "add"), isReadOnly(type, "edit")]).toEqual([add, edit]);
  });
});

describe("looking at a type at all", () => {
  test("takes view or index, by an own entry or that for all", () => {
    expect([mayLook(clerk, "crm/leads"), mayLook(clerk, "crm/companies")]).toEqual([true, true]);
    expect([mayLook(stranger, "crm/leads"), mayLook(administrator, "crm/leads")]).toEqual([false, true]);
    expect(mayLook(testCaller({ operations: { "*": ["edit", "export"] } }), "crm/leads")).toBe(false);
  });

  test("is told as what holds for the rest, and which types differ from it", () => {
    const of = (operations: Record<string, readonly MatrixOperation[]>) => looks(testCaller({ operations }));
    expect(of({ "*": ["index"], "crm/b": [], "crm/a": ["edit"], "crm/c": ["view"] })).toEqual({
      rest: true,
      except: ["crm/a", "crm/b"],
    });
    expect(of({ "crm/c": ["view"], "crm/a": ["index"], "crm/b": ["edit"] })).toEqual({
      rest: false,
      except: ["crm/a", "crm/c"],
    });
    expect(looks(administrator)).toEqual({ rest: true, except: [] });
  });
});

describe("one person and one set", () => {
  const set = (named: Record<string, readonly number[]>, subjects: readonly string[] = []) => ({
    subjects,
    named: (column: string) => named[column] ?? [],
  });
  const may = (type: RecordType, right: Parameters<typeof ruleOf>[1], person = clerk, of = set({})) =>
    holds(ruleOf(type, right), person, type, new Set([101]), of);

  test("need a name in the right column, and the matrix", () => {
    expect(may(leads, "read", clerk, set({ readers: [101] }))).toBe(true);
    expect(may(leads, "read", clerk, set({ readers: [102], _acl_edit: [101] }))).toBe(false);
    expect(may(leads, "edit", clerk, set({ _acl_edit: [101] }))).toBe(true);
    expect(may(leads, "edit", clerk, set({ _acl_tmp_edit: [7, 101] }))).toBe(true);
    expect(may(leads, "edit", clerk, set({ readers: [101], _acl_delete: [101] }))).toBe(false);
    expect(may(leads, "delete", clerk, set({ _acl_delete: [101], _acl_tmp_delete: [101] }))).toBe(false);
    expect(may(leads, "delete", administrator)).toBe(true);
  });

  test("stop at confidential types, and at what is about them, for administrators too", () => {
    expect(may(secret, "read", administrator)).toBe(false);
    expect(may(secret, "read", administrator, set({ readers: [101] }))).toBe(true);
    const about = { ...leads, about: { field: "related_type", confidential: new Set(["lab/secrets"]) } };
    expect(may(about, "read", administrator, set({}, ["lab/secrets"]))).toBe(false);
    expect(may(about, "read", administrator, set({ readers: [101] }, ["lab/secrets"]))).toBe(true);
    expect(may(about, "read", administrator, set({}, ["crm/leads"]))).toBe(true);
    expect(isHeldBack(ruleOf(about, "read"), ["crm/leads", "lab/secrets"])).toBe(true);
    expect(isHeldBack(ruleOf(about, "read"), [])).toBe(false);
  });

  test("of what is attached need the right to look at all that it is attached to", () => {
    const named = { readers: [101] };
    expect(may(comments, "read", clerk, set(named, ["crm/leads"]))).toBe(true);
    const narrow = testCaller({ operations: { "crm/leads": ["view"] } });
    expect(may(comments, "read", narrow, set(named, ["crm/leads"]))).toBe(true);
    expect(may(comments, "read", narrow, set(named, ["crm/leads", "crm/companies"]))).toBe(false);
    expect(may(leads, "read", narrow, set(named, ["crm/companies"]))).toBe(true);
  });
});

describe("what a key is limited to", () => {
  const limits = (kept: Record<string, readonly MatrixOperation[]>) =>
    new Map(Object.entries(kept).map(([key, operations]) => [key, new Set(operations)]));
  const set = (subjects: readonly string[] = []) => ({ subjects, named: () => [101] });
  const may = (type: RecordType, right: Parameters<typeof ruleOf>[1], person: typeof clerk, of = set()) =>
    holds(ruleOf(type, right), person, type, new Set([101]), of);
  const key = { ...administrator, limits: limits({ "crm/leads": ["view", "edit"] }) };
  const attachments = requireType(snapshot, "core/attachments");

  test("narrows whatever roles allow, and gives nothing", () => {
    const companies = requireType(snapshot, "crm/companies");
    expect(matrixOf(key, leads)).toMatchObject({ view: 1, edit: 1, index: 0, add: 0, delete: 0 });
    expect(Object.values(matrixOf(key, companies)).every((one) => one === 0)).toBe(true);
    expect(matrixOf(key, countries)).toMatchObject({ index: 1, view: 1, export: 1, edit: 0 });
    expect(matrixOf(key, comments)).toMatchObject({ index: 1, view: 1, add: 1, export: 0 });
    expect(isPermitted({ ...stranger, limits: key.limits }, leads, "view")).toBe(false);
    expect([may(leads, "read", key), may(leads, "edit", key), may(leads, "delete", key)]).toEqual([true, true, false]);
    expect(may(companies, "read", key)).toBe(false);
    expect(may(requireType(snapshot, "core/jobs"), "read", key)).toBe(false);
    expect(() => authorize(key, leads, "delete")).toThrow(expect.objectContaining({ code: "key_limited" }));
    expect([mayDesignForms(key, "crm/leads"), mayDesign({ ...operator, limits: key.limits })]).toEqual([false, false]);
  });

  test("holds of what is attached by all that it is attached to, for the right that this takes there", () => {
    const only = (...operations: MatrixOperation[]) => ({
      ...administrator,
      limits: limits({ "crm/leads": operations }),
    });
    const [onLead, onBoth] = [set(["crm/leads"]), set(["crm/leads", "crm/companies"])];
    expect([onLead, onBoth].map((of) => may(comments, "read", only("view"), of))).toEqual([true, false]);
    expect(may(comments, "read", only("index"), onLead)).toBe(true);
    expect(may(comments, "read", only("edit"), onLead)).toBe(false);
    const all = { ...administrator, limits: limits({ "*": ["view"], "crm/companies": [] }) };
    expect([onLead, onBoth].map((of) => may(comments, "read", all, of))).toEqual([true, false]);
    // A comment is written by who may comment on the record, a file by who may edit it.
    expect([comments.follows, attachments.follows]).toEqual(["read", "edit"]);
    const edits = (type: RecordType, ...operations: MatrixOperation[]) =>
      may({ ...type, refuses: {} }, "edit", only(...operations), onLead);
    expect([edits(comments, "comment"), edits(comments, "edit")]).toEqual([true, false]);
    expect([edits(attachments, "comment"), edits(attachments, "edit")]).toEqual([false, true]);
  });

  test("decides which types it looks at", () => {
    expect(looks(key)).toEqual({ rest: false, except: ["crm/leads"] });
    expect(looks({ ...clerk, limits: limits({ "*": ["index"], "crm/companies": ["edit"] }) })).toEqual({
      rest: true,
      except: ["crm/companies", "crm/leads"],
    });
  });
});

describe("fields", () => {
  const narrow = { "crm/leads": { rating: 1, score: 4, source: 2 } } as const;
  const reader = testCaller({ operations: {}, fields: narrow });
  const levels = (person: typeof reader, operation: "view" | "edit" = "edit") =>
    ["rating", "score", "source", "city", "name", "nothing"].map((name) =>
      fieldPermission(leads, name, person, operation),
    );

  test("are narrowed by what they are declared as and by roles", () => {
    expect(levels(reader)).toEqual([1, 4, 2, 2, 4, 1]);
    expect(levels(reader, "view")).toEqual([1, 4, 4, 4, 4, 1]);
  });

  test("are not narrowed for administrators by their roles, and hidden by forms from whoever forms hide them from", () => {
    const chief = { ...reader, isAdministrator: true };
    expect(levels(chief)).toEqual([2, 2, 2, 2, 4, 1]);
    expect(levels({ ...chief, hiddenByForms: new Map([["crm/leads", new Set(["city"])]]) })[3]).toBe(1);
    expect(levels({ ...reader, hiddenByForms: new Map([["crm/companies", new Set(["city"])]]) })[3]).toBe(2);
  });

  test("and everything else that one may see by rights have a fingerprint, equal for equal rights", () => {
    const form = (permission: 1 | 2, others = false) =>
      new Map([
        ["crm/leads", hiddenByForm({ sections: [{ permission, others, elements: [{ field: "city" }] }] }, ["clerk"])],
      ]);
    const prints = [
      reader,
      { ...reader, principals: [...reader.principals, 99] },
      { ...reader, isAdministrator: true },
      testCaller({ operations: {}, fields: { "crm/leads": { rating: 1 } } }),
      { ...reader, hiddenByForms: form(1) },
      { ...reader, hiddenByForms: form(1, true) },
      { ...reader, policies: new Map([["crm/leads", ["owner" as const]]]) },
    ].map(rightsOf);
    expect(new Set(prints).size).toBe(prints.length);
    expect(rightsOf({ ...reader, hiddenByForms: form(1) })).toBe(prints[4]);
    expect(rightsOf({ ...reader })).toBe(prints[0]);
  });

  test("that are computed are there for who sees all that they are made of", () => {
    const crossing = {
      type: "crm/companies",
      read: ["organization"],
      comesAlong: false,
      isPersonal: false,
      reveals: false,
    };
    const looker = testCaller({ operations: { "crm/companies": ["view"] } });
    const sees = (person: typeof looker, more: object, reads: readonly object[] = []) => {
      const computation = { reads, crosses: [{ ...crossing, ...more }] };
      const type = { ...leads, computed: new Map([["score", computation]]) } as unknown as RecordType;
      return fieldPermission(type, "score", person, "view") !== 1;
    };
    // Records of another type: every one of them is to be read, by the policy in force.
    expect(sees(looker, {})).toBe(true);
    expect(sees(looker, { read: ["owner"] })).toBe(false);
    expect(sees(looker, { read: ["everyone"] })).toBe(true);
    expect(sees(looker, { read: ["owner", "role:tested"] })).toBe(true);
    expect(sees(looker, { read: ["role:other"] })).toBe(false);
    expect(sees(looker, { isPersonal: true })).toBe(false);
    expect(sees({ ...looker, policies: new Map([["crm/companies", ["owner" as const]]]) }, {})).toBe(false);
    // Unless the designer shows it, to those who may look at the type; or they come along.
    expect(sees(looker, { read: ["owner"], reveals: true })).toBe(true);
    expect(sees(stranger, { reveals: true })).toBe(false);
    expect(sees(stranger, { comesAlong: true })).toBe(true);
    expect(sees(administrator, { read: ["owner"], isPersonal: true })).toBe(true);
    // And every field of the record itself.
    const hidden = { type: "crm/leads", field: "city", permission: 1 };
    expect(sees(looker, {}, [hidden])).toBe(false);
    expect(sees(looker, {}, [{ ...hidden, permission: 0 }])).toBe(true);
  });

  test("make a mask that is worked out once, and alike for those whom it treats alike", () => {
    const mask = fieldMask(leads, reader);
    expect(["rating", "score", "source"].map((name) => mask.visible.has(name))).toEqual([false, true, true]);
    expect(["rating", "score", "source"].map((name) => mask.editable.has(name))).toEqual([false, false, true]);
    expect(fieldMask(leads, reader)).toBe(mask);
    expect(fieldMask(leads, { ...reader }).key).toBe(mask.key);
    expect(fieldMask(leads, administrator).key).not.toBe(mask.key);
    expect(fieldMask(countries, reader)).not.toBe(mask);
  });
});

describe("other rights than one's own", () => {
  test("are an administrator's, for a reason, and nothing else changes", () => {
    expect(elevate(clerk, "workflow creates")).toEqual({
      ...clerk,
      isAdministrator: true,
      elevated: "workflow creates",
      actor: clerk,
    });
    expect(elevate(elevate(clerk, "workflow creates"), "workflow undoes").actor).toBe(clerk);
    expect(serviceCaller("5", "8", "upgrade")).toMatchObject({
      organizationId: "5",
      userId: "8",
      isAdministrator: true,
      isOperator: false,
      elevated: "upgrade",
      principals: [],
      roles: [],
    });
  });

  test("of a role are shown as if it were the only one", () => {
    const shown = asRole(operator, "sales_rep");
    expect(shown).toMatchObject({ isAdministrator: false, roles: [{ code: "sales_rep", isAdministrator: false }] });
    expect(Object.values(matrixOf(shown, leads)).every((one) => one === 1)).toBe(true);
  });
});

describe("the language of an answer", () => {
  const asked = (chosen?: string, accepted?: string) => ({ chosen, accepted });

  test("is what was chosen, then the profile's, then what is accepted, then the organization's", () => {
    const own = testCaller({ ownLanguage: "en", language: "en" });
    const none = testCaller({ language: "ar" });
    expect(speaking(own, asked("ar", "en")).language).toBe("ar");
    expect(speaking(own, asked(undefined, "ar")).language).toBe("en");
    expect(speaking(none, asked(undefined, "en")).language).toBe("en");
    expect(speaking(none, asked()).language).toBe("ar");
    expect(speaking(none, asked())).toBe(none);
    expect(speaking(own, asked("ar"))).toBe(speaking(own, asked("ar")));
  });

  test("of somebody who is not known is what they ask for, else English", () => {
    expect([asked("ar", "en"), asked(undefined, "ar"), asked(), asked("xx")].map(strangersLanguage)).toEqual([
      "ar",
      "ar",
      "en",
      "en",
    ]);
  });
});
