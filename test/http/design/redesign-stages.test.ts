// A record type whose field is the stage of a workflow: a design that takes an option away under a stage is refused, with
// what to do about it, and goes through once that is done.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../service.ts";
import { addOrganization } from "../people.ts";

const TYPE = "lab/parcels";
const OPTIONS = ["waiting", "sent", "lost"];

let service: TestService;
let admin: string;

const design = (state: object | undefined, more: object = {}, operation = "save") =>
  service.post(
    `/metadata/record_types/${operation}.json`,
    {
      definition: JSON.stringify({
        module: "lab",
        controller: "parcels",
        label: "Parcel",
        plural: "Parcels",
        displayField: "name",
        fields: [{ name: "name", type: "short-text" }, ...(state ? [{ name: "state", ...state }] : [])],
        access: { read: ["organization"], edit: ["organization"], delete: [], comment: [] },
      }),
      ...more,
    },
    admin,
  );
const choice = (options: readonly string[]) => ({
  type: "choice",
  label: "State",
  settings: { options: options.map((value) => ({ value, label: value.toUpperCase() })) },
});
const save = (
  type: string,
  operation: string,
  values: object,
  token = admin,
  action: object = { save_progress: "1" },
) =>
  service.post(
    `/${type}/${operation}.json?override_duplicates=1`,
    { data: { [type.split("/")[1] ?? ""]: values, action } },
    token,
  );
const workflow = (last: string) =>
  JSON.stringify({
    stage_field: "state",
    stages: [
      { key: "waiting", name: "Waiting", kind: "start", value: "waiting" },
      { key: "going", name: "On its way", value: "sent" },
      { key: "over", name: "Over", kind: "end", value: last },
    ],
    transitions: [
      { name: "send", label: "Send", from: "waiting", to: "going" },
      { name: "close", label: "Close", from: "going", to: "over" },
    ],
  });

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  expect((await design(choice(OPTIONS))).body.errors).toEqual([]);
});
afterAll(() => service.stop());

test("an option that is a stage stays until the workflow no longer needs it", async () => {
  const added = await save("core/workflows", "add", {
    name: "Shipping",
    controller: TYPE,
    is_active: "1",
    definition: workflow("lost"),
  });
  expect(added.body.errors).toEqual([]);
  const parcel = await save(TYPE, "add", { name: "First" });
  expect((await save(TYPE, "edit", { id: parcel.body.id }, admin, { send: "Send" })).body.errors).toEqual([]);

  const refusal = (whose: string) => ({
    "record_types.fields.state.settings.options": [
      `LOST is the stage Over of ${whose}. Keep the option, or map the stage to another one in the workflow first`,
    ],
  });
  for (const operation of ["check", "save"]) {
    const refused = await design(choice(["waiting", "sent", "returned"]), {}, operation);
    expect([refused.status, refused.body.errors_by_field]).toEqual([422, refusal("the workflow Shipping")]);
    const without = await design(undefined, { discard: "state" }, operation);
    expect([without.status, Object.keys(without.body.errors_by_field)]).toEqual([
      422,
      ["record_types.fields.state.type"],
    ]);
    const text = await design({ type: "short-text", label: "State" }, { convert: "state" }, operation);
    expect([text.status, Object.keys(text.body.errors_by_field)]).toEqual([422, ["record_types.fields.state.type"]]);
  }
  // More options and other labels are nobody's loss.
  expect((await design(choice([...OPTIONS, "returned"]))).body.errors).toEqual([]);

  const remapped = await save("core/workflows", "edit", { id: added.body.id, definition: workflow("returned") });
  expect(remapped.body.errors).toEqual([]);
  // A parcel is still on its way by the version that it started with.
  expect((await design(choice(["waiting", "sent", "returned"]))).body.errors_by_field).toEqual(
    refusal("the workflow Shipping"),
  );
  expect((await save(TYPE, "edit", { id: parcel.body.id }, admin, { close: "Close" })).body.errors).toEqual([]);
  expect((await design(choice(["waiting", "sent", "returned"]))).body.errors).toEqual([]);
});

test("a workflow of another organization counts, and is not named", async () => {
  const other = await addOrganization(service, "carrier");
  const definition = workflow("returned");
  const values = { name: "Theirs alone", controller: TYPE, is_active: "1", definition };
  expect((await save("core/workflows", "add", values, other.token)).body.errors).toEqual([]);
  const own = (await service.get("/core/workflows/index.json", admin)).body.paginate.data.find(
    (row: Record<string, string>) => row.record_display_name === "Shipping",
  );
  await service.post(`/core/workflows/delete.json?id=${own["workflows.id"]}&is_confirm=1`, {}, admin);
  const refused = await design(choice(["waiting", "sent"]));
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused.body)).toContain("a workflow of another organization");
  expect(JSON.stringify(refused.body)).not.toContain("Theirs alone");
});
