// Child rows that carry a stage of their own: what their workflow decides is not decided by a save of their parent.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;

type Values = Record<string, unknown>;
const save = (
  type: string,
  operation: string,
  values: Values,
  token = rep.token,
  action: Values = { save_progress: "Save" },
) => service.post(`/lab/${type}/${operation}.json`, { data: { [type]: values, action } }, token);

const common = { module: "lab", displayField: "name" };
const access = { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] };
const trip = {
  ...common,
  controller: "trips",
  label: "Trip",
  plural: "Trips",
  fields: [{ name: "name", type: "short-text" }],
  associations: [{ kind: "has-many", name: "costs", type: "lab/costs", via: "trip_id", owned: true }],
  access,
};
const options = ["draft", "asked", "granted"].map((value) => ({ value, label: value }));
const cost = {
  ...common,
  controller: "costs",
  label: "Cost",
  plural: "Costs",
  fields: [
    { name: "name", type: "short-text" },
    { name: "amount", type: "integer" },
    { name: "state", type: "choice", settings: { options } },
    { name: "trip_id", type: "reference", settings: { to: "lab/trips" } },
  ],
  access,
};
const workflow = {
  stage_field: "state",
  stages: [
    { key: "draft", name: "Draft", kind: "start", value: "draft" },
    { key: "asked", name: "Asked", value: "asked", actors: ["role:sales_manager"], fixed: ["amount"] },
    { key: "granted", name: "Granted", kind: "end", value: "granted" },
  ],
  transitions: [
    { name: "ask", label: "Ask", from: "draft", to: "asked" },
    { name: "grant", label: "Grant", from: "asked", to: "granted", kind: "approve" },
  ],
};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  const plain = { ...trip, associations: [] };
  for (const definition of [plain, cost, trip]) {
    const body = { definition: JSON.stringify(definition) };
    expect((await service.post("/metadata/record_types/save.json", body, admin)).body.errors).toEqual([]);
  }
  const data = {
    workflows: { name: "Costs", controller: "lab/costs", is_active: "1", definition: JSON.stringify(workflow) },
    action: { save_progress: "Save" },
  };
  expect((await service.post("/core/workflows/add.json", { data }, admin)).body.errors).toEqual([]);
  const role = await service.db.row(sql`
    select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_rep'`);
  for (const record_type of ["lab/trips", "lab/costs"]) {
    const values = { role_id: role?.id, record_type, operations: ["index", "view", "add", "edit"] };
    const sent = { data: { role_operations: values, action: { save_progress: "Save" } } };
    expect((await service.post("/access_controls/role_operations/add.json", sent, admin)).body.errors).toEqual([]);
  }
});
afterAll(() => service.stop());

const costOf = async (id: string) => (await service.get(`/lab/costs/view.json?id=${id}`, admin)).body;

test("a child's stage field and what its stage fixes are not changed through its parent", async () => {
  const tripId = (await save("trips", "add", { name: "Rome" })).body.id;
  const id = (await save("costs", "add", { name: "Hotel", amount: "100", trip_id: tripId })).body.id;
  expect((await save("costs", "edit", { id }, rep.token, { ask: "Ask" })).body.errors).toEqual([]);
  const through = (row: Values) => save("trips", "edit", { id: tripId, costs: [{ id, ...row }] });
  for (const [name, value] of [
    ["state", "granted"],
    ["state", "draft"],
    ["amount", "9000"],
  ] as const) {
    const { status, body } = await through({ [name]: value });
    expect([status, Object.keys(body.errors_by_field ?? {})]).toEqual([422, [`trips.costs.0.${name}`]]);
  }
  expect((await through({ name: "Inn", state: "asked", amount: "100" })).body.errors).toEqual([]);
  const { data, workflow: shown } = await costOf(id);
  expect([data.costs.name, data.costs.amount, data.costs.state, shown.__stage]).toEqual([
    "Inn",
    "100",
    "asked",
    "Asked",
  ]);
});

test("a child whose parent changes hands is its new owner's, and waits for the same people", async () => {
  const other = await addPerson(service, "other", ["sales_rep"]);
  const tripId = (await save("trips", "add", { name: "Lima" })).body.id;
  const id = (await save("costs", "add", { name: "Hotel", amount: "100", trip_id: tripId })).body.id;
  await save("costs", "edit", { id }, rep.token, { ask: "Ask" });
  const waitsFor = async () => {
    const row = await service.db.row(sql`
      select c.owned_by::text as owner, s.actors::text as actors, s._acl_tmp_edit::text as lent
      from lab__costs c join core__acl_sets s on s.organization_id = c.organization_id and s.id = c.acl_id
      where c.organization_id = 1 and c.id = ${id}::bigint`);
    return row;
  };
  const before = await waitsFor();
  expect([before?.owner, before?.actors, before?.lent]).toEqual([rep.id, before?.lent, expect.stringMatching(/\d/)]);
  expect((await save("trips", "edit", { id: tripId, owned_by: other.id })).body.errors).toEqual([]);
  expect(await waitsFor()).toEqual({ ...before, owner: other.id });
});

test("a child that is added with its parent starts in its workflow", async () => {
  const granted = await save("trips", "add", { name: "Oslo", costs: [{ name: "Taxi", state: "granted" }] });
  expect([granted.status, Object.keys(granted.body.errors_by_field ?? {})]).toEqual([422, ["trips.costs.0.state"]]);
  const { body } = await save("trips", "add", { name: "Oslo", costs: [{ name: "Taxi", amount: "20" }] });
  const { data, workflow: shown } = await costOf(body.data.trips.costs[0].id);
  expect([data.costs.state, shown.__stage]).toEqual(["draft", "Draft"]);
});
