// A preview of a design does all that applying it does, and takes it back: what one refuses, the other refuses in the same words, and
// after either of them everything is as it was.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson } from "../people.ts";

// biome-ignore lint/suspicious/noExplicitAny: documents of a design, which each case changes where it likes.
type Files = Record<string, any>;

let service: TestService;
let admin: string;
let base: string;

const post = (operation: string, body: object) => service.post(`/metadata/designs/${operation}.json`, body, admin);
const exported = async (query = ""): Promise<string> =>
  (await service.get(`/metadata/designs/export.json${query}`, admin)).body.data.design;
const with_ = (change: (files: Files) => void): string => {
  const design = JSON.parse(base);
  change(design.files);
  return JSON.stringify(design);
};
const version = async () => (await service.db.row(sql`select version::text as version from metadata__state`))?.version;
const numbers = () =>
  service.db.rows(sql`
    select record_type, field, last_value::text as last from core__auto_numbers where last_value > 0 order by 1, 2`);

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  expect((await post("apply", { starter: "maintenance" })).body.errors).toEqual([]);
  const extra = {
    format: "dossier-design",
    version: 1,
    name: "More",
    files: {
      "policies/maintenance.work_orders.json": {
        record_type: "maintenance/work_orders",
        policy: {
          read: ["organization"],
          edit: ["owner", "field:technician"],
          delete: ["owner"],
          comment: ["organization"],
        },
      },
    },
  };
  expect((await post("apply", { design: JSON.stringify(extra) })).body.errors).toEqual([]);
  await addPerson(service, "tess", ["technician"]);
  const { body: assets } = await service.get("/maintenance/assets/index.json", admin);
  const again = { title: "Again", priority: "high", asset_id: assets.paginate.data[0]["assets.id"] };
  const added = await service.post(
    "/maintenance/work_orders/add.json",
    { data: { work_orders: again, action: { save_progress: "1" } } },
    admin,
  );
  expect(added.body.errors).toEqual([]);
  base = await exported("?modules=maintenance");
});
afterAll(() => service.stop());

const ORDERS = "record_types/maintenance.work_orders.json";
const ASSETS = "record_types/maintenance.assets.json";
const place = (files: Files, kind: string): string =>
  Object.keys(files).find((one) => one.startsWith(`${kind}/`) && files[one].controller === "maintenance/work_orders") ??
  "";
const named = (list: { name: string }[], name: string) => list.find((one) => one.name === name) as Files;
const without = (list: { name: string }[], name: string) => list.filter((one) => one.name !== name);
const id = "01930000-0000-7000-8000-0000000000ff";
const things = {
  ...{ module: "half", controller: "things", label: "Thing", plural: "Things", displayField: "name" },
  fields: [{ name: "name", type: "short-text" }],
  access: { read: ["organization"], edit: ["owner"], delete: [], comment: [] },
};
const THINGS = "record_types/half.things.json";

type Case = readonly [what: string, change: (files: Files) => void, options?: object];
const bad: readonly Case[] = [
  [
    "a form with a field that isn't there",
    (files) => {
      files[place(files, "forms")].definition.sections[0].elements.push({ field: "no_such" });
    },
  ],
  [
    "a form of a new record type with a field that isn't there",
    (files) => {
      files[THINGS] = things;
      files["forms/bad.json"] = {
        id,
        controller: "half/things",
        name: "Bad",
        is_default: true,
        definition: { sections: [{ section: "S", elements: [{ field: "no_such" }] }] },
      };
    },
  ],
  [
    "a form for a record type that isn't there",
    (files) => {
      files[place(files, "forms")].controller = "half/nothing";
    },
  ],
  [
    "a workflow with a transition to nowhere",
    (files) => {
      files[place(files, "workflows")].definition.transitions[0].to = "nowhere";
    },
  ],
  [
    "a workflow that waits for a role that isn't there",
    (files) => {
      files[place(files, "workflows")].definition.stages[0].actors = ["role:nobody"];
    },
  ],
  [
    "a workflow whose transition needs a field that isn't there",
    (files) => {
      files[place(files, "workflows")].definition.transitions[0].when = { field: "no_such", operator: "is_not_empty" };
    },
  ],
  [
    "a second active workflow",
    (files) => {
      const { definition } = files[place(files, "workflows")];
      files["workflows/second.json"] = {
        id,
        controller: "maintenance/work_orders",
        name: "Second",
        is_active: true,
        definition,
      };
    },
  ],
  [
    "a workflow moved to another record type",
    (files) => {
      files[place(files, "workflows")].controller = "maintenance/assets";
    },
  ],
  [
    "a policy for a role that isn't there",
    (files) => {
      files["policies/maintenance.work_orders.json"].policy.read = ["role:nobody"];
    },
  ],
  [
    "a policy by a field that isn't there",
    (files) => {
      files["policies/maintenance.work_orders.json"].policy.edit = ["field:no_such"];
    },
  ],
  [
    "a policy that can't be read",
    (files) => {
      files["policies/maintenance.work_orders.json"].policy = { read: "all" };
    },
  ],
  [
    "a policy of a record type that isn't there",
    (files) => {
      files["policies/half.nothing.json"] = {
        record_type: "half/nothing",
        policy: { read: [], edit: [], delete: [], comment: [] },
      };
    },
  ],
  [
    "a field that a policy speaks of, removed",
    (files) => {
      files[ORDERS].fields = without(files[ORDERS].fields, "technician");
      const form = files[place(files, "forms")].definition;
      for (const section of form.sections)
        section.elements = section.elements.filter((one: Files) => one.field !== "technician");
      delete files["policies/maintenance.work_orders.json"];
    },
    { allow_loss: "1" },
  ],
  [
    "a role for a record type that isn't there",
    (files) => {
      files["roles/technician.json"].operations["half/nothing"] = ["view"];
    },
  ],
  [
    "a role for an operation that isn't there",
    (files) => {
      files["roles/technician.json"].operations["maintenance/assets"] = ["dance"];
    },
  ],
  [
    "a role that hides a field that isn't there",
    (files) => {
      files["roles/technician.json"].fields = { "maintenance/assets": { no_such: 4 } };
    },
  ],
  [
    "a view of a record type that isn't there",
    (files) => {
      files[place(files, "views")].controller = "half/nothing";
    },
  ],
  [
    "a view with a filter on nothing",
    (files) => {
      files[place(files, "views")].query = { fields: ["work_orders.title"], conditions: "x" };
    },
  ],
  [
    "a navigation entry to a script",
    (files) => {
      files["navigation/evil.json"] = {
        name: "evil",
        label: "Evil",
        is_active: true,
        hidden_for: [],
        entries: [{ key: "evil_link", label: "Evil", url: "javascript:alert(1)", is_active: true, hidden_for: [] }],
      };
    },
  ],
  [
    "an option that is a stage, removed",
    (files) => {
      const { settings } = named(files[ORDERS].fields, "status");
      settings.options = settings.options.filter(({ value }: Files) => value !== "in_progress");
    },
  ],
  [
    "values that don't fit the new type",
    (files) => {
      named(files[ASSETS].fields, "serial_number").type = "integer";
    },
  ],
  [
    "uniqueness that records break",
    (files) => {
      files[ORDERS].unique = [["priority"]];
    },
  ],
  [
    "a field that people fill in, computed",
    (files) => {
      named(files[ORDERS].fields, "description").computed = { kind: "formula", formula: "title" };
    },
  ],
  [
    "formulas in a circle",
    (files) => {
      files[ORDERS].fields.push(
        { name: "one", type: "short-text", computed: { kind: "formula", formula: "two" } },
        { name: "two", type: "short-text", computed: { kind: "formula", formula: "one" } },
      );
    },
  ],
  [
    "formulas in a circle through two record types",
    (files) => {
      files[ASSETS].fields.push({
        name: "orders_total",
        type: "decimal",
        computed: {
          kind: "roll-up",
          function: "sum",
          type: "maintenance/work_orders",
          via: "asset_id",
          field: "again",
        },
      });
      files[ORDERS].fields.push({
        name: "again",
        type: "decimal",
        computed: { kind: "lookup", path: ["asset_id", "orders_total"] },
      });
    },
  ],
  [
    "a reserved field name",
    (files) => {
      files[ORDERS].fields.push({ name: "organization_id", type: "integer" });
    },
  ],
  [
    "a name that a removed column has",
    (files) => {
      files[ORDERS].fields.push({ name: "_removed_1_0", type: "short-text" });
    },
  ],
  [
    "a table of the service itself",
    (files) => {
      files["record_types/metadata.state.json"] = { ...things, module: "metadata", controller: "state" };
    },
  ],
  [
    "a record type that refers to one that isn't there",
    (files) => {
      files[THINGS] = {
        ...things,
        fields: [...things.fields, { name: "to_id", type: "reference", settings: { to: "half/nothing" } }],
      };
    },
  ],
  [
    "an extension of what can't be extended",
    (files) => {
      files["extensions/crm.nothing.json"] = { extends: "crm/nothing", fields: [{ name: "x_a", type: "short-text" }] };
    },
  ],
  [
    "an extension that takes a built-in name",
    (files) => {
      files["extensions/crm.leads.json"] = {
        extends: "crm/leads",
        fields: [{ name: "first_name", type: "short-text" }],
      };
    },
  ],
  [
    "records that break a rule",
    (files) => {
      files[THINGS] = { ...things, fields: [{ name: "name", type: "short-text", required: true }] };
      files["records/half.things.json"] = { record_type: "half/things", records: [{ id: "one" }] };
    },
  ],
  [
    "records that refer to nothing",
    (files) => {
      files[THINGS] = things;
      files["records/half.things.json"] = {
        record_type: "half/things",
        records: [{ id: "one", name: "@half/things/two" }],
      };
    },
  ],
  [
    "a role that somebody has, removed",
    (files) => {
      for (const kind of ["roles/technician.json"]) delete files[kind];
    },
    { prune: "1", allow_loss: "1" },
  ],
];

describe("a preview refuses what applying refuses, in the same words", () => {
  test.each(bad.map(([what, change, options = {}]) => ({ what, change, options })))(
    "$what",
    async ({ change, options }) => {
      const before = [await exported(), await version(), await numbers()];
      const design = with_(change);
      const planned = await post("plan", { design, ...options });
      expect([await exported(), await version(), await numbers()]).toEqual(before);
      const applied = await post("apply", { design, ...options });
      const told = ({ status, body }: typeof applied) => [status, body.error_code, body.errors, body.errors_by_field];
      expect([await exported(), await version(), await numbers()]).toEqual(before);
      expect(applied.status).toBeGreaterThanOrEqual(400);
      expect(told(planned)).toEqual(told(applied));
    },
  );
});
