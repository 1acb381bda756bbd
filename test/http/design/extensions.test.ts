// Built-in record types with fields, related lists, names and options of people's own, over the wire.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { builtInTypes } from "../../../server/modules/index.ts";
import { startTwoServices, type TestService, type TwoServices } from "../../service.ts";

type Json = Record<string, unknown>;
interface Designed extends Json {
  label: string;
  fields: (Json & { name: string })[];
  associations?: Json[];
}

let both: TwoServices;
let service: TestService;
let second: TestService;
let admin: string;

beforeAll(async () => {
  both = await startTwoServices();
  ({ service, second } = both);
  admin = await service.login();
});
afterAll(() => both.stop());

const viewOf = async (key: string) =>
  (await service.get(`/metadata/record_types/view.json?key=${key}`, admin)).body.data.record_types;
const definitionOf = async (key: string): Promise<Designed> => JSON.parse((await viewOf(key)).definition);
const save = (definition: unknown, more: Record<string, string> = {}) =>
  service.post("/metadata/record_types/save.json", { definition: JSON.stringify(definition), ...more }, admin);
const save_ = { save_progress: "Save" };

/** Saves a type with what `change` makes of it. */
async function design(key: string, change: (definition: Designed) => unknown, more: Record<string, string> = {}) {
  const definition = await definitionOf(key);
  return save(change(definition) ?? definition, more);
}
const addField = (field: Json & { name: string }) => (definition: Designed) => void definition.fields.push(field);
const fieldOf = ({ fields }: Designed, name: string): Json => fields.find((field) => field.name === name) ?? {};

describe("a built-in type", () => {
  test("takes fields of one's own, which lists, saves, searches and other processes know", async () => {
    const saved = await design(
      "crm/leads",
      addField({ name: "x_contract", label: "Contract", type: "short-text", searchable: true }),
    );
    expect(saved).toMatchObject({ status: 200, body: { errors: [] } });
    const added = await service.post(
      "/crm/leads/add.json",
      { data: { leads: { last_name: "Extended", x_contract: "Frame 77" }, action: save_ } },
      admin,
    );
    expect(added.body.errors).toEqual([]);
    const id = added.body.id;
    const q = { fields: ["leads.x_contract"], where: { "leads.x_contract": "Frame 77" } };
    const found = await service.get(`/crm/leads/index.json?q=${encodeURIComponent(JSON.stringify(q))}`, admin);
    expect(found.body.paginate.data).toMatchObject([{ "leads.id": id, "leads.x_contract": "Frame 77" }]);
    const searched = await service.get("/crm/leads/index.json?search_criteria=frame%2077", admin);
    expect(searched.body.paginate.data.map((row: Json) => row["leads.id"])).toEqual([id]);
    const view = await service.get(`/crm/leads/view.json?id=${id}`, admin);
    expect(view.body.data.leads.x_contract).toBe("Frame 77");
    expect(JSON.stringify(view.body.form)).toContain('"x_contract"');
    await expect
      .poll(async () => (await second.get(`/crm/leads/view.json?id=${id}`, admin)).body.data.leads.x_contract)
      .toBe("Frame 77");
  });

  test("is renamed, with its fields and options, and hides what is not needed", async () => {
    const saved = await design("crm/leads", (definition) => {
      definition.label = "Prospect";
      definition.plural = "Prospects";
      const source = fieldOf(definition, "source");
      source.label = "Where from";
      const settings = source.settings as { options: Json[] };
      settings.options.unshift({ value: "fair", label: "Trade fair" });
      fieldOf(definition, "website").permission = 1;
    });
    expect(saved.body.errors).toEqual([]);
    const form = await service.get("/crm/leads/add.json", admin);
    const text = JSON.stringify(form.body.form);
    expect(text).toContain("Where from");
    expect(text).toContain("Trade fair");
    expect(text).not.toContain('"website"');
    const added = await service.post(
      "/crm/leads/add.json",
      { data: { leads: { last_name: "From the fair", source: "fair" }, action: save_ } },
      admin,
    );
    expect(added.body.data.leads.source).toBe("fair");
    const stored = await service.db.row(sql`select definition from metadata__record_types where key = 'crm/leads'`);
    // What ships is not in it: a new version brings its own.
    expect(JSON.parse(stored?.definition ?? "")).toMatchObject({ extends: "crm/leads", label: "Prospect" });
    expect(stored?.definition).not.toContain("last_name");
  });

  test("has related lists of one's own types", async () => {
    const asset = {
      module: "lab",
      controller: "assets",
      label: "Asset",
      plural: "Assets",
      displayField: "name",
      fields: [
        { name: "name", type: "short-text" },
        { name: "company_id", type: "reference", settings: { to: "crm/companies" } },
      ],
      access: { read: ["organization"], edit: ["organization"], delete: [], comment: [] },
    };
    expect((await save(asset)).body.errors).toEqual([]);
    const saved = await design("crm/companies", (definition) => {
      const list = { kind: "has-many", name: "x_assets", label: "Assets", type: "lab/assets", via: "company_id" };
      definition.associations = [...(definition.associations ?? []), list];
      definition.fields.push({ name: "x_main_asset", type: "reference", settings: { to: "lab/assets" } });
    });
    expect(saved.body.errors).toEqual([]);
    const company = await service.post(
      "/crm/companies/add.json",
      { data: { companies: { name: "With assets" }, action: save_ } },
      admin,
    );
    const inForm = await service.get(`/crm/companies/view.json?id=${company.body.id}`, admin);
    expect(JSON.stringify(inForm.body.form)).toContain("x_assets");
    expect(JSON.stringify(inForm.body.form)).toContain("Main asset");
    const gone = await service.post(
      "/metadata/record_types/remove.json",
      { key: "lab/assets", is_confirm: "1" },
      admin,
    );
    expect(gone.status).toBe(422);
  });

  test("works out what a new record starts with, in the form and in what is saved", async () => {
    const settings = { to: "access_controls/users" };
    const saved = await design("crm/quotes", (definition) => {
      definition.fields.push({ name: "x_follow_up", type: "date", initialFormula: "today(14)" });
      definition.fields.push({ name: "x_contact", type: "reference", settings, initialFormula: "me()" });
      const team = { settings: { to: "access_controls/groups" }, initialFormula: "group()" };
      definition.fields.push({ name: "x_team", type: "reference", ...team });
    });
    expect(saved.body.errors).toEqual([]);
    expect((await service.get("/crm/quotes/add.json", admin)).body.data.quotes.x_team).toBe(null);
    const groups = { name: "Field team", members: [{ user_id: "1" }] };
    const team = await service.post("/access_controls/groups/add.json", { data: { groups, action: save_ } }, admin);
    expect(team.body.errors).toEqual([]);
    const form = await service.get("/crm/quotes/add.json", admin);
    expect(form.body.data.quotes).toMatchObject({ x_team: team.body.id, __x_team: "Field team" });
    expect(form.body.data.quotes).toMatchObject({ x_follow_up: expect.stringMatching(/^\d{4}-/), x_contact: "1" });
    const added = await service.post(
      "/crm/quotes/add.json",
      { data: { quotes: { name: "With defaults" }, action: save_ } },
      admin,
    );
    expect(added.body.data.quotes).toMatchObject({ x_follow_up: form.body.data.quotes.x_follow_up, x_contact: "1" });
    const wrong = await design("crm/quotes", addField({ name: "x_wrong", type: "date", initialFormula: "name" }));
    expect(wrong.body.errors_by_field).toHaveProperty(["record_types.fields.x_wrong.initialFormula"]);
  });

  test("tells a second designer that somebody else was faster", async () => {
    const key = "crm/opportunities";
    const { definition, revision } = await viewOf(key);
    expect(revision).toBe("as-shipped");
    const one = JSON.parse(definition);
    one.fields.push({ name: "x_one", type: "integer" });
    expect((await save(one, { revision })).status).toBe(200);
    const other = JSON.parse(definition);
    other.fields.push({ name: "x_other", type: "integer" });
    expect((await save(other, { revision })).status).toBe(409);
    expect((await save(other, { is_new: "1" })).status).toBe(422);
  });

  test("puts the values of a removed field aside, only when it is named", async () => {
    const key = "crm/quotes";
    await design(key, addField({ name: "x_old", type: "integer" }));
    const without = (definition: Designed) => ({
      ...definition,
      fields: definition.fields.filter(({ name }) => name !== "x_old"),
    });
    expect((await design(key, without)).status).toBe(422);
    expect((await design(key, without, { discard: "x_old" })).status).toBe(200);
    expect((await definitionOf(key)).fields.map(({ name }) => name)).not.toContain("x_old");
  });

  test("cannot be removed", async () => {
    const answer = await service.post(
      "/metadata/record_types/remove.json",
      { key: "crm/leads", is_confirm: "1" },
      admin,
    );
    expect(answer.status).toBe(409);
    expect((await service.get("/crm/leads/index.json", admin)).status).toBe(200);
  });
});

const set = (definition: Designed, name: string, settings: Json): void =>
  void Object.assign(fieldOf(definition, name), settings);

const refusals: readonly [what: string, change: (definition: Designed) => unknown, place: string][] = [
  ["a field without the prefix", addField({ name: "contract", type: "short-text" }), "fields.contract"],
  [
    "a field that takes the place of a system field",
    addField({ name: "owned_by", type: "short-text" }),
    "fields.owned_by",
  ],
  ["a built-in field gone", (d) => ({ ...d, fields: d.fields.filter(({ name }) => name !== "email") }), "fields.email"],
  ["another type of field", (d) => set(d, "email", { type: "short-text" }), "fields.email.type"],
  ["a required field made optional", (d) => void delete fieldOf(d, "last_name").required, "fields.last_name.required"],
  ["the display field hidden", (d) => set(d, "name", { permission: 1 }), "fields.name.permission"],
  ["a read-only field opened", (d) => set(d, "converted", { permission: 2 }), "fields.converted.permission"],
  [
    "an option gone",
    (d) => void (fieldOf(d, "source").settings as { options: Json[] }).options.pop(),
    "fields.source.settings.options",
  ],
  [
    "other access",
    (d) => ({ ...d, access: { read: ["everyone"], edit: ["everyone"], delete: [], comment: [] } }),
    "access",
  ],
  ["no comments", (d) => ({ ...d, allowComments: false }), "allowComments"],
  ["made confidential", (d) => ({ ...d, confidential: true }), "confidential"],
  [
    "a related list without the prefix",
    (d) => void d.associations?.push({ kind: "has-many", name: "mine", type: "crm/leads", via: "owned_by" }),
    "associations.mine",
  ],
  [
    "a related list changed",
    (d) => ({ ...d, associations: d.associations?.map((one) => ({ ...one, label: "Other" })) }),
    "associations.",
  ],
];

test.each(refusals)("a built-in type is not changed by %s", async (_, change, place) => {
  const before = await viewOf("crm/leads");
  const answer = await design("crm/leads", change);
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body.errors_by_field).join()).toContain(`record_types.${place}`);
  expect(await viewOf("crm/leads")).toEqual(before);
});

test.each(["access_controls/audit_events", "core/revisions", "masters/countries"])("%s takes nothing", async (key) => {
  const definition = builtInTypes.find(({ module, controller }) => `${module}/${controller}` === key);
  const fields = [...(definition?.fields ?? []), { name: "x_more", type: "integer" }];
  expect((await save({ ...definition, fields })).status).toBe(422);
});

test("no definition that ships uses the prefix of what people add", () => {
  const names = builtInTypes.flatMap(({ fields, associations = [] }) =>
    [...fields, ...associations].map(({ name }) => name),
  );
  expect(names.filter((name) => name.startsWith("x_"))).toEqual([]);
});
