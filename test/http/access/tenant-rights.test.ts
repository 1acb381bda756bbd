// What an administrator of one organization cannot reach, whichever indirect way is tried: who runs the service, the rows of
// other organizations, what is read-only by definition, and what decides on access.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordHooks } from "../../../server/controllers/hooks.ts";
import { ident, join, type Sql, sql } from "../../../server/database/sql.ts";
import type { RecordType } from "../../../server/metadata/record-type.ts";
import { addVersion } from "../../../server/records/workflow/workflow-versions.ts";
import { effectRefusal, takesWorkflow } from "../../../server/workflow/effect-fields.ts";
import { runs } from "../../runs.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows, type Person, snapshot } from "../people.ts";

type Values = Record<string, unknown>;
const SAVE = { save_progress: "Save" };
const types = [...snapshot.types.values()];

let service: TestService;
let tenant: Person & { organizationId: string };
let rep: Person;
let other: Person & { organizationId: string };

beforeAll(async () => {
  service = await startService();
  tenant = await addOrganization(service, "tenant");
  rep = await addPerson(service, "tenant.rep", ["sales_rep"], tenant.organizationId);
  other = await addOrganization(service, "other");
  for (const organization of ["1", tenant.organizationId, other.organizationId]) {
    await addRows(service, "crm/companies", [{ name: "Analytical Engines" }], organization);
    await addRows(
      service,
      "access_controls/groups",
      [{ name: "Sales", principal_id: `${900 + Number(organization)}` }],
      organization,
    );
  }
  await service.post(
    "/access_controls/api_keys/add.json",
    { data: { api_keys: { name: "k", scope: "read" } } },
    tenant.token,
  );
});
afterAll(() => service.stop());

const alias = (type: string) => type.split("/")[1] ?? "";
const send = (type: string, operation: string, values: Values, action: Values = SAVE): Promise<Answer> =>
  service.post(`/${type}/${operation}.json`, { data: { [alias(type)]: values, action } }, tenant.token);

/** Moved by the service itself as it works: bookkeeping, and the stages of records that took their transition. */
const moving = new Set(["access_controls/sessions", "core/jobs", "core/revisions", "core/stage_log", "core/workflows"]);
const ofStages = new Set([
  "current_stage",
  "stage_since",
  "workflow_version",
  "modified",
  "modified_by",
  "revision",
  "deleted",
]);

const isKept = (type: RecordType, name: string): boolean => {
  const field = type.field.get(name);
  if (!field || ofStages.has(name) || field.setByWorkflow || recordHooks[type.key]?.computes?.includes(name))
    return false;
  return field.system || field.permission === 1 || field.permission === 4;
};

/** Everything that must stay as it is: rows of others whole, of the tenant what nobody may write. `access`: whose they are, too. */
async function guarded(): Promise<{ others: string; own: Map<string, string>; owners: Map<string, string> }> {
  const mine = sql`${tenant.organizationId}::bigint`;
  const digests = types.map((type): Sql => {
    const which = type.scope === "shared" ? sql`true` : sql`organization_id <> ${mine}`;
    return sql`select ${type.key} as type, md5(string_agg(t::text, ',' order by t.id)) as digest from ${ident(type.table)} t where ${which}`;
  });
  const others = await service.db.rows(join(digests, " union all "));
  const own = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const type of types.filter((one) => one.scope === "organization" && !moving.has(one.key))) {
    const names = type.fields.map((field) => field.name).filter((name) => isKept(type, name));
    const columns = names.flatMap((name) => (type.columns.get(name) ?? []).map((column) => ident(column.name)));
    const rows = await service.db.rows(sql`
      select t.id::text as id, row(${join(columns)})::text as kept, row(t.owned_by, t.primary_acl_group)::text as owner
      from ${ident(type.table)} t where t.organization_id = ${mine}`);
    for (const row of rows) {
      own.set(`${type.key} ${row.id}`, row.kept ?? "");
      owners.set(`${type.key} ${row.id}`, row.owner ?? "");
    }
  }
  return { others: JSON.stringify(others), own, owners };
}

/** What is there already stays; what is new is nobody else's. */
async function expectUnmoved(before: Awaited<ReturnType<typeof guarded>>, also: "owners" | "nothing" = "nothing") {
  const after = await guarded();
  expect(after.others).toBe(before.others);
  for (const [key, kept] of before.own) expect(`${key} ${after.own.get(key) ?? kept}`).toBe(`${key} ${kept}`);
  if (also !== "owners") return;
  for (const [key, owner] of before.owners) expect(`${key} ${after.owners.get(key) ?? owner}`).toBe(`${key} ${owner}`);
}

const flow = (effects: unknown[]) => ({
  stages: [
    { key: "open", name: "Open", kind: "start", actors: ["role:administrator"] },
    { key: "shut", name: "Shut", kind: "end" },
  ],
  transitions: [{ name: "shut", label: "Shut", from: "open", to: "shut", by: ["role:administrator"], effects }],
});

const pickedField = fc.constantFrom(
  ...types.flatMap((type) => type.fields.map((field) => ({ type, name: field.name }))),
);
const pickedValue = fc.constantFrom(
  "1",
  "0",
  "2",
  "999",
  "administrator",
  "2020-01-01",
  '{"read":["everyone"]}',
  "null",
);

describe("a workflow", () => {
  test("that makes an organization the operator is refused, on whatever type it is laid", async () => {
    const before = await guarded();
    for (const controller of types.filter((type) => !takesWorkflow(type)).map((type) => type.key)) {
      const definition = JSON.stringify(flow([{ set: { is_operator: '"1"' } }]));
      const { status, body } = await send("core/workflows", "add", { name: "Up", controller, definition });
      expect(`${controller} ${status}`).toBe(`${controller} 422`);
      expect(body.errors_by_field["workflows.controller"]).toEqual([expect.stringMatching(/can't have a workflow/)]);
    }
    await expectUnmoved(before);
  });

  test("is for the records of business alone", () => {
    const takers = types.filter(takesWorkflow).map((type) => type.key);
    expect(takers.every((key) => key.startsWith("crm/"))).toBe(true);
    expect(takers).toEqual(expect.arrayContaining(["crm/leads", "crm/quotes", "crm/companies"]));
  });

  test.each(types.map((type) => [type.key, type] as const))(
    "cannot set what is read-only or decides on access: %s",
    async (key, type) => {
      const all = type.fields.map((field) => field.name);
      const forbidden = (effect: "set" | "create") =>
        all.filter((name) => effectRefusal(type, name, effect) !== undefined);
      const mustBe = type.fields.filter(
        ({ name, system, permission, setByWorkflow }) =>
          system ||
          permission === 1 ||
          (permission === 4 && !setByWorkflow) ||
          ["owned_by", "primary_acl_group"].includes(name),
      );
      expect(forbidden("set")).toEqual(expect.arrayContaining(mustBe.map((field) => field.name)));
      const values = Object.fromEntries(all.map((name) => [name, '"1"']));
      const errors = async (controller: string, effect: unknown): Promise<string[]> => {
        const { status, body } = await send("core/workflows", "add", {
          name: "All",
          controller,
          definition: JSON.stringify(flow([effect])),
          is_active: "0",
        });
        expect(status).toBe(422);
        return body.errors_by_field["workflows.definition"] ?? [];
      };
      const named = (found: string[], part: string) =>
        found.flatMap((error) => new RegExp(`effects\\.0\\.${part}\\.(\\w+):`, "u").exec(error)?.[1] ?? []);
      const created = await errors("crm/leads", { create: key, values });
      if (!takesWorkflow(type)) expect(created).toEqual([expect.stringMatching(/not a record type/)]);
      else {
        expect(named(created, "values").sort()).toEqual(forbidden("create").sort());
        expect(named(await errors(key, { set: values }), "set").sort()).toEqual(forbidden("set").sort());
      }
    },
  );

  test("that was stored before the rule writes nothing of it either: the transition is refused", async () => {
    const [type] = types.filter((one) => one.key === "crm/companies");
    if (!type) throw new Error("there are no companies");
    const { body } = await send("core/workflows", "add", { name: "Old", controller: type.key, definition: flow([]) });
    const workflow = String(body.id);
    const foreign = await service.db.row(sql`
      select id::text as id from crm__companies where organization_id = ${other.organizationId}::bigint limit 1`);
    const effects = [
      ...type.fields
        .filter((field) => effectRefusal(type, field.name, "set") !== undefined)
        .map((field) => ({ set: { [field.name]: '"1"' } })),
      { create: "access_controls/policies", values: { record_type: '"crm/leads"', policy: '"{}"' } },
      { create: "access_controls/users", values: { user_name: '"mole"', last_name: '"Mole"' } },
      { create: "crm/leads", values: { last_name: '"x"', owned_by: `"${rep.id}"` } },
      { create: "crm/leads", values: { last_name: '"x"', created_by: '"1"' } },
      { set: { parent_id: `"${foreign?.id}"` } },
    ].filter((effect) => !("set" in effect) || Object.keys(effect.set ?? {}).every((name) => type.field.has(name)));
    for (const effect of effects) {
      await service.db.transaction(async (transaction) => {
        // As an older version of the service would have kept it.
        const definition = flow([effect]) as Parameters<typeof addVersion>[4];
        await addVersion(transaction, snapshot, tenant.organizationId, workflow, definition, null);
      });
      const id = String((await send("crm/companies", "add", { name: "To shut" })).body.id);
      const before = await guarded();
      const { status, body: answer } = await send("crm/companies", "edit", { id }, { shut: "Shut" });
      expect(`${JSON.stringify(effect)} ${status}`).toBe(`${JSON.stringify(effect)} 422`);
      expect(answer.errors.join()).toMatch(/Ask an administrator to change the workflow|does not exist/);
      await expectUnmoved(before, "owners");
    }
    expect(
      (await service.post(`/core/workflows/delete.json?id=${workflow}&is_confirm=1`, {}, tenant.token)).status,
    ).toBe(200);
  });
});

test("is_operator stays as it is by every way an organization is saved", async () => {
  const before = await guarded();
  const id = tenant.organizationId;
  const values = { id, is_operator: "1" };
  const bracketed = new FormData();
  for (const [name, value] of Object.entries(values)) bracketed.set(`data[organizations][${name}]`, value);
  bracketed.set("data[action][save_progress]", "Save");
  const path = "/access_controls/organizations";
  const answers = [
    await send("access_controls/organizations", "edit", values),
    await service.post(`${path}/edit.json`, bracketed, tenant.token),
    await service.post(`${path}/edit_many.json`, { data: { organizations: { 0: values } } }, tenant.token),
    await service.post(
      `${path}/edit_selected.json`,
      { ids: [id], data: { organizations: { is_operator: "1" } } },
      tenant.token,
    ),
    await service.post(
      `${path}/add_many.json`,
      { data: { organizations: { 0: { name: "X", is_operator: "1" } } } },
      tenant.token,
    ),
    await service.post(
      `${path}/edit.json`,
      {
        jsonrpc: "2.0",
        id: 1,
        method: "access_controls.organizations.edit",
        params: { action: SAVE, data: { organizations: values } },
      },
      tenant.token,
    ),
  ];
  for (const { body } of answers) {
    expect(
      [...(body.errors ?? body.result?.errors ?? []), ...Object.values(body.data?.failed ?? {})].length,
    ).toBeGreaterThan(0);
  }
  await expectUnmoved(before);
  const operators = await service.db.rows(
    sql`select id::text as id from access_controls__organizations where is_operator = 1`,
  );
  expect(operators).toEqual([{ id: "1" }]);
});

/** The ways to write beside a workflow. Each takes a type, a stored row of the tenant and what is to be written. */
const ways: Record<string, (type: RecordType, id: string, values: Values) => Promise<Answer | undefined>> = {
  edit: (type, id, values) => send(type.key, "edit", { id, ...values }),
  "edit in brackets": (type, id, values) => {
    const form = new URLSearchParams({ [`data[${type.alias}][id]`]: id, "data[action][save_progress]": "Save" });
    for (const [name, value] of Object.entries(values)) form.set(`data[${type.alias}][${name}]`, String(value));
    return service.post(`/${type.key}/edit.json`, form, tenant.token);
  },
  "JSON-RPC": (type, id, values) => {
    const params = { normalized: 1, action: SAVE, data: { [type.alias]: { id, ...values } } };
    const method = `${type.module}.${type.controller}.edit`;
    return service.post(`/${type.key}/edit.json`, { jsonrpc: "2.0", id: 1, method, params }, tenant.token);
  },
  add: (type, _, values) => send(type.key, "add", values),
  add_many: (type, _, values) =>
    service.post(`/${type.key}/add_many.json`, { partial: "1", data: { [type.alias]: { 0: values } } }, tenant.token),
  edit_many: (type, id, values) =>
    service.post(`/${type.key}/edit_many.json`, { data: { [type.alias]: { 0: { id, ...values } } } }, tenant.token),
  "edit_selected, then undo": async (type, id, values) => {
    const { body } = await service.post(
      `/${type.key}/edit_selected.json`,
      { ids: [id], data: { [type.alias]: values } },
      tenant.token,
    );
    return body.job_id ? service.post(`/core/jobs/undo.json?id=${body.job_id}`, {}, tenant.token) : undefined;
  },
  "revert to a history that was tampered with": async (type, id, values) => {
    const changes = Object.fromEntries(Object.entries(values).map(([name, from]) => [name, { from, to: "x" }]));
    // What history holds is taken for what somebody sent.
    await service.db.run(sql`
      update core__revisions set changes = ${JSON.stringify(changes)}::jsonb
      where organization_id = ${tenant.organizationId}::bigint and related_type = ${type.key} and related_id = ${id}`);
    return service.post(`/${type.key}/revert.json?id=${id}&revision=1`, {}, tenant.token);
  },
  "children in brackets": async (type, id, values) => {
    const parents = types.flatMap((parent) =>
      parent.associations.flatMap((one) =>
        "owned" in one && one.owned && one.type === type.key ? [{ parent, one }] : [],
      ),
    );
    for (const { parent, one } of parents.slice(0, 2)) {
      const holder = await anyRow(parent);
      if (holder) await send(parent.key, "edit", { id: holder, [one.name]: [{ id, ...values }, { ...values }] });
    }
    return undefined;
  },
  "delete, then restore with values": async (type, id, values) => {
    await service.post(`/${type.key}/delete.json?id=${id}&is_confirm=1`, {}, tenant.token);
    return service.post(`/${type.key}/restore.json?id=${id}`, { data: { [type.alias]: values } }, tenant.token);
  },
  "the default of a form": async (type, _, values) => {
    const [[field = "", value] = []] = Object.entries(values);
    const definition = JSON.stringify({
      sections: [{ section: "All", elements: [{ field, default: String(value) }] }],
    });
    const { body } = await send("core/forms", "add", { name: "F", controller: type.key, definition, is_default: "1" });
    if (typeof body.id !== "string") return undefined;
    await send(type.key, "add", { name: "By form", last_name: "By form", user_name: `by.form.${body.id}` });
    return service.post(`/core/forms/delete.json?id=${body.id}&is_confirm=1`, {}, tenant.token);
  },
};

async function anyRow(type: RecordType): Promise<string | undefined> {
  if (type.scope === "shared")
    return (await service.db.row(sql`select id::text as id from ${ident(type.table)} limit 1`))?.id ?? undefined;
  const row = await service.db.row(sql`
    select id::text as id from ${ident(type.table)}
    where organization_id = ${tenant.organizationId}::bigint and deleted = 0 order by id desc limit 1`);
  return row?.id ?? undefined;
}

test("whatever field is tried by whatever way, nothing changes beyond an administrator's rights", async () => {
  const guardedFields = types.flatMap((type) =>
    type.fields.filter((field) => isKept(type, field.name)).map((field) => ({ type, name: field.name })),
  );
  const picked = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...guardedFields) },
    { weight: 1, arbitrary: pickedField },
  );
  await fc.assert(
    fc.asyncProperty(picked, pickedValue, fc.constantFrom(...Object.keys(ways)), async ({ type, name }, value, way) => {
      const id = (await anyRow(type)) ?? "1";
      const before = await guarded();
      const answer = await ways[way]?.(type, id, { [name]: value });
      expect(answer?.status ?? 200).toBeLessThan(500);
      await expectUnmoved(before);
    }),
    {
      numRuns: runs(20),
      examples: [
        [{ type: snapshot.types.get("access_controls/organizations") as RecordType, name: "is_operator" }, "1", "edit"],
      ],
    },
  );
});

test("rows of another organization are reached by none of these ways", async () => {
  await fc.assert(
    fc.asyncProperty(
      pickedField,
      pickedValue,
      fc.constantFrom(...Object.keys(ways)),
      async ({ type, name }, value, way) => {
        if (type.scope === "shared") return;
        const row = await service.db.row(sql`
        select id::text as id from ${ident(type.table)} where organization_id <> ${tenant.organizationId}::bigint limit 1`);
        const before = await guarded();
        await ways[way]?.(type, row?.id ?? "1", { [name]: value });
        await expectUnmoved(before);
      },
    ),
    { numRuns: runs(10) },
  );
});
