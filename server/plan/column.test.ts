// Names of columns: every way to write one, that what is hidden and what does not exist cannot be told apart, and which a list begins with.
import { describe, expect, test } from "vitest";
import { Failure } from "../../contract/failures.ts";
import type { Caller } from "../access/caller.ts";
import { compileRecordType } from "../metadata/compile.ts";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { isMany, resolveColumn, resolveFilterColumn, type Scope } from "./column.ts";
import { testCaller } from "./column-fixture.ts";
import { generatedView } from "./list-view.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const look = ["index", "view"] as const;

const scopeOf = (type: string, caller: Caller = testCaller()): Scope => ({
  snapshot,
  type: requireType(snapshot, type),
  caller,
  now: new Date("2026-02-28T12:00:00Z"),
});

function failureOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error).toMatchObject({ code: "malformed_parameter", status: 400 });
    return error.message;
  }
  throw new Error("it was accepted");
}

describe("resolves", () => {
  test.each([
    ["crm/leads", "leads.first_name", "leads.first_name", []],
    ["crm/leads", "first_name", "leads.first_name", []],
    ["crm/leads", "{{MODEL}}.first_name", "leads.first_name", []],
    ["crm/leads", "{{MODEL}}.{{PRIMARY_KEY}}", "leads.id", []],
    ["crm/leads", "{{PRIMARY_KEY}}", "leads.id", []],
    ["crm/leads", "leads.owned_by", "leads.owned_by", []],
    ["crm/leads", "leads.owned_by.name", "leads.owned_by.name", ["owned_by"]],
    ["crm/leads", "leads.owned_by_user.name", "leads.owned_by.name", ["owned_by"]],
    ["crm/leads", "owned_by_user.name", "leads.owned_by.name", ["owned_by"]],
    ["crm/leads", "type.name", "leads.type.name", ["type_id"]],
    ["crm/leads", "type_id.name", "leads.type.name", ["type_id"]],
    ["crm/leads", "leads.currencies.code", "leads.currency.code", ["currency_id"]],
    [
      "crm/leads",
      "referred_by.company.parent.owned_by.name",
      "leads.referred_by.company.parent.owned_by.name",
      ["referred_by_id", "company_id", "parent_id", "owned_by"],
    ],
    ["core/listviews", "category.name", "listviews.category.name", ["category_id"]],
    ["crm/types", "types.name", "types.name", []],
    ["crm/companies", "companies.parent.parent.name", "companies.parent.parent.name", ["parent_id", "parent_id"]],
    ["access_controls/users", "users.manager_user.name", "users.manager.name", ["manager_id"]],
  ])("%s: %s is %s", (type, name, canonical, vias) => {
    const ref = resolveColumn(scopeOf(type), name);
    expect(ref.name).toBe(canonical);
    expect(ref.steps.map((step) => step.association.via)).toEqual(vias);
    expect(ref.type).toBe(ref.steps.at(-1)?.type ?? requireType(snapshot, type));
    expect(ref.type.field.get(ref.field.name)).toBe(ref.field);
  });

  test("a part of a composite field by its column", () => {
    const ref = resolveColumn(scopeOf("crm/companies"), "companies.billing_address_city");
    expect(ref).toMatchObject({ part: "billing_address_city", field: { name: "billing_address" } });
    expect(resolveColumn(scopeOf("crm/companies"), "billing_address")).not.toHaveProperty("part");
  });

  test.each([
    ["crm/leads", "leads.addresses.city", "leads.addresses.city", [], "addresses", "addresses.city"],
    [
      "crm/companies",
      "peoples.owned_by.name",
      "companies.peoples.owned_by.name",
      [],
      "peoples",
      "peoples.owned_by.name",
    ],
    [
      "crm/leads",
      "referred_by.opportunities.stage",
      "leads.referred_by.opportunities.stage",
      ["referred_by_id"],
      "opportunities",
      "opportunities.stage",
    ],
    ["access_controls/users", "roles.code", "users.roles.code", [], "roles", "roles.code"],
  ])("in filters %s: %s through a has-many association", (type, name, canonical, vias, association, inner) => {
    const ref = resolveFilterColumn(scopeOf(type), name);
    if (!isMany(ref)) throw new Error("it is no has-many column");
    expect(ref.name).toBe(canonical);
    expect(ref.steps.map((step) => step.association.via)).toEqual(vias);
    expect(ref.association.name).toBe(association);
    expect(ref.inner.name).toBe(inner);
    expect(failureOf(() => resolveColumn(scopeOf(type), name))).toContain(name);
  });

  test("in filters through two has-many associations, one within the other", () => {
    const ref = resolveFilterColumn(scopeOf("crm/leads"), "leads.owned_by.groups.members.user_id");
    expect(ref).toMatchObject({
      name: "leads.owned_by.groups.members.user_id",
      steps: [{ association: { via: "owned_by" } }],
      owner: { key: "access_controls/users" },
      association: { name: "groups" },
      inner: {
        name: "groups.members.user_id",
        steps: [],
        owner: { key: "access_controls/groups" },
        association: { name: "members" },
        inner: { name: "group_members.user_id", steps: [], field: { name: "user_id" } },
      },
    });
  });

  test("in filters plain columns as ever", () => {
    const scope = scopeOf("crm/leads");
    expect(resolveFilterColumn(scope, "owned_by.name")).toEqual(resolveColumn(scope, "owned_by.name"));
  });
});

describe("does not know", () => {
  test.each([
    ["crm/leads", "leads.nothing"],
    ["crm/leads", "nothing.name"],
    ["crm/leads", "peoples.name.x"],
    ["crm/leads", "leads"],
    ["crm/leads", "leads.leads.name"],
    ["crm/leads", "leads.acl_id"],
    ["crm/leads", "leads._acl"],
    ["crm/leads", "leads.toString"],
    ["crm/leads", "constructor.name"],
    ["crm/leads", ""],
    ["crm/leads", "leads."],
    ["crm/leads", "{{MODEL}}"],
    // Three references lead to users: which one is meant?
    ["crm/leads", "users.name"],
    ["crm/companies", "parent.parent.parent.parent.parent.name"],
    ["core/addresses", "related.name"],
    ["access_controls/users", "users.principal_id"],
    ["crm/leads", "owned_by.principal_id"],
    ["crm/leads", 'name"; drop table x; --'],
  ])("%s: %s", (type, name) => {
    const words = `q: ${name} is not a column of ${type}`;
    expect(failureOf(() => resolveColumn(scopeOf(type), name))).toBe(words);
    expect(failureOf(() => resolveFilterColumn(scopeOf(type), name))).toBe(words);
  });

  test("three has-many associations in one path", () => {
    const name = "peoples.opportunities.comments.id";
    expect(failureOf(() => resolveFilterColumn(scopeOf("crm/companies"), name))).toContain("peoples");
  });

  const hidden = testCaller({
    operations: { "*": look, "crm/opportunities": [], "crm/companies": [] },
    fields: {
      "crm/leads": { email: 1, owned_by: 1 },
      "crm/companies": { billing_address: 1 },
      "access_controls/users": { name: 1 },
      "core/email_addresses": { related_id: 1 },
    },
  });

  test.each([
    ["crm/leads", "leads.email"],
    ["crm/leads", "owned_by.first_name"],
    ["crm/leads", "created_by.name"],
    ["crm/leads", "email_addresses.email"],
    ["crm/companies", "billing_address"],
    ["crm/companies", "billing_address_city"],
    // The matrix closes companies and opportunities: only what stands for a record elsewhere is left of it.
    ["crm/peoples", "company.annual_revenue"],
    ["crm/peoples", "company.parent.name"],
    ["crm/peoples", "opportunities.name"],
  ])("%s: what is hidden: %s", (type, name) => {
    expect(failureOf(() => resolveFilterColumn(scopeOf(type, hidden), name))).toBe(
      `q: ${name} is not a column of ${type}`,
    );
    expect(() => resolveFilterColumn(scopeOf(type), name)).not.toThrow();
  });

  test.each([
    ["crm/peoples", "company.name"],
    ["crm/peoples", "company.id"],
    ["crm/leads", "created_by.first_name"],
    ["crm/leads", "addresses.city"],
  ])("but knows %s: %s", (type, name) => {
    expect(() => resolveFilterColumn(scopeOf(type, hidden), name)).not.toThrow();
  });

  test("and names the parameter that it came from", () => {
    expect(failureOf(() => resolveColumn(scopeOf("crm/leads"), "x", "sort"))).toBe(
      "sort: x is not a column of crm/leads",
    );
  });
});

test("the list of a type that has no view shows what the type is about, and then what every record has", () => {
  const type = compileRecordType(
    {
      module: "lab",
      controller: "machines",
      label: "Machine",
      plural: "Machines",
      displayField: "name",
      categories: true,
      fields: [
        { name: "name", type: "short-text" },
        { name: "inventory", type: "auto-number" },
        { name: "notes", type: "long-text" },
        { name: "site", type: "short-text" },
        { name: "secret", type: "short-text", permission: 1 },
      ],
      access: { read: ["organization"], edit: ["owner"], delete: [], comment: [] },
    },
    () => undefined,
    "run-time",
  );
  const shown = generatedView(type).query.fields?.flatMap((field) => (field.kind === "column" ? [field.column] : []));
  expect(shown).toEqual(
    ["name", "inventory", "site", "owned_by", "primary_acl_group", "category_id", "created"].map(
      (name) => `machines.${name}`,
    ),
  );
});
