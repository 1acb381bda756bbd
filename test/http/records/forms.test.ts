// Forms as records: saved, checked, in force for their organization alone, and held to on write.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { buildSnapshot } from "../../../server/metadata/snapshot.ts";
import { builtInTypes } from "../../../server/modules/index.ts";
import { giveNewForms, standardForms } from "../../../server/seed/standard-forms.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, elements, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let manager: Person;
let form: string;

const definition = {
  tabs: [
    {
      tab: "Lead",
      sections: [
        {
          section: "Who",
          columns: 2,
          elements: [
            { field: "first_name", help: "As on the card" },
            { field: "last_name", label: "Surname" },
            { field: "status", default: "contacted" },
            {
              field: "lost_reason",
              if_condition: 'status = "unqualified"',
              required_if: 'status = "unqualified"',
            },
            { field: "score", permission: 4, roles: { sales_manager: 2 } },
            { field: "campaign", roles: { sales_rep: 1 } },
            { field: "job_title", required: true },
          ],
        },
        { section: "Where", permission: 4, elements: [{ field: "city" }, { grid: "addresses", columns: ["city"] }] },
      ],
    },
    { tab: "Managers", roles: { sales_rep: 1 }, sections: [{ section: "Money", elements: [{ field: "amount" }] }] },
  ],
};

const save = (type: string, operation: "add" | "edit", values: Record<string, unknown>, token = rep.token) => {
  const data = { [type.split("/")[1] ?? ""]: values, action: { save_progress: "Save" } };
  return service.post(`/${type}/${operation}.json`, { data }, token);
};
const saveForm = (changed: unknown, more: Record<string, unknown> = {}) =>
  save(
    "core/forms",
    form ? "edit" : "add",
    {
      ...(form ? { id: form } : {}),
      name: "Leads",
      controller: "crm/leads",
      is_default: "1",
      definition: JSON.stringify(changed),
      ...more,
    },
    admin,
  );
const formOf = async (path: string, token = rep.token) => {
  const { body } = await service.get(path, token);
  return {
    body,
    all: elements(body.form),
    named: (name: string) => elements(body.form).find((one) => one.__name === name),
  };
};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  manager = await addPerson(service, "manager", ["sales_manager"]);
  const saved = await saveForm(definition);
  expect([saved.status, saved.body.errors]).toEqual([200, []]);
  form = saved.body.id;
});

afterAll(() => service.stop());

describe("a saved form", () => {
  test("takes the place of the generated one, with its tabs, labels, helps and defaults", async () => {
    const { body, named } = await formOf("/crm/leads/add.json");
    expect(body.form.form_metadata_id).toBe(form);
    expect(body.form.children.map((one: { template: string; label: string }) => [one.template, one.label])).toEqual([
      ["tab", "Lead"],
      ["submit", "Save"],
      ["submit", "Save & Continue"],
    ]);
    expect(named("leads.last_name").label).toBe("Surname");
    expect(body.labels["leads.last_name"]).toBe("Surname");
    expect(named("leads.first_name").help).toBe("As on the card");
    expect(body.data.leads.status).toBe("contacted");
    expect(named("leads.job_title").not_empty).toBe("1");
  });

  test.each([
    [
      "sales representative",
      () => rep.token,
      { score: 4, campaign: undefined, city: 4, amount: undefined, first_name: 2, last_name: 2 },
    ],
    ["manager", () => manager.token, { score: 4, campaign: 2, city: 4, amount: 2, first_name: 2, last_name: 2 }],
  ])("gives a %s effective permissions", async (_, token, expected) => {
    const { named } = await formOf("/crm/leads/add.json", token());
    const found = Object.fromEntries(Object.keys(expected).map((name) => [name, named(`leads.${name}`)?.permission]));
    expect(found).toEqual(expected);
  });

  test("hides what it hides from a role in data too, and refuses it on write", async () => {
    const { body } = await formOf("/crm/leads/add.json");
    expect(body.data.leads).not.toHaveProperty("campaign");
    const { status, body: refused } = await save("crm/leads", "add", {
      last_name: "X",
      job_title: "Y",
      campaign: "Z",
      score: "5",
    });
    expect(status).toBe(422);
    expect(refused.errors_by_field).toEqual({
      "leads.campaign": ["campaign is not a field of this record type"],
      "leads.score": ["You can't edit Score"],
    });
  });

  test("hides it in lists, conditions, exports, history and conflicts as well", async () => {
    const added = await save("crm/leads", "add", { last_name: "Hidden", job_title: "Engineer" });
    const { id } = added.body;
    const edited = await save("crm/leads", "edit", { id, campaign: "A secret campaign" }, manager.token);
    expect(edited.body.errors).toEqual([]);
    const q = (value: object) => encodeURIComponent(JSON.stringify(value));
    for (const value of [
      { fields: ["leads.campaign"] },
      { where: { "leads.campaign": "A secret campaign" } },
      { order: ["leads.campaign ASC"] },
    ]) {
      expect((await service.get(`/crm/leads/index.json?q=${q(value)}`, rep.token)).status).toBe(400);
    }
    const everywhere = [
      `index.json?q=${q({ fields: ["*"] })}`,
      `export.json?format=json&q=${q({ fields: ["*"] })}`,
      `revisions.json?id=${id}`,
      `view.json?id=${id}`,
    ];
    for (const path of everywhere) {
      const { status, body } = await service.get(`/crm/leads/${path}`, rep.token);
      expect([path, status, JSON.stringify(body).includes("A secret")]).toEqual([path, 200, false]);
      const shown = JSON.stringify((await service.get(`/crm/leads/${path}`, manager.token)).body);
      expect([path, shown.includes("A secret")]).toEqual([path, true]);
    }
    for (const [token, found] of [
      [rep.token, 0],
      [manager.token, 1],
    ] as const) {
      const { body } = await service.get("/crm/leads/index.json?search_basic=secret", token);
      expect(body.paginate.total_count).toBe(found);
    }
    const stale = await save("crm/leads", "edit", { id, job_title: "Other", revision: "1" });
    expect([stale.status, JSON.stringify(stale.body).includes("secret")]).toEqual([409, false]);
  });

  test("shows and requires a field by its condition, for the values that are sent", async () => {
    const added = await save("crm/leads", "add", { last_name: "Cond", job_title: "Engineer" });
    expect(added.body.errors).toEqual([]);
    const { id } = added.body;
    expect((await formOf(`/crm/leads/edit.json?id=${id}`)).named("leads.lost_reason")).toMatchObject({
      permission: 1,
      if_condition: 'status = "unqualified"',
    });
    const early = await save("crm/leads", "edit", { id, lost_reason: "price" });
    expect(early.body.errors_by_field).toEqual({ "leads.lost_reason": ["You can't edit Disqualification reason"] });
    const missing = await save("crm/leads", "edit", { id, status: "unqualified" });
    expect(missing.body.errors_by_field).toEqual({ "leads.lost_reason": ["Disqualification reason is required"] });
    const both = await save("crm/leads", "edit", { id, status: "unqualified", lost_reason: "price" });
    expect(both.body.errors).toEqual([]);
    expect((await formOf(`/crm/leads/edit.json?id=${id}`)).named("leads.lost_reason").permission).toBe(2);
  });

  test("shows what no section names in its section of all others, and hides it with it", async () => {
    const sections = [
      { section: "Who", elements: [{ field: "last_name" }, { field: "status" }] },
      { section: "More", roles: { sales_rep: 1 }, others: true, elements: [{ field: "job_title" }] },
    ];
    expect((await saveForm({ sections })).body.errors).toEqual([]);
    const seen = async (token: string) => {
      const { all, body } = await formOf("/crm/leads/add.json", token);
      const more = body.form.children.find((one: { label: string }) => one.label === "More")?.children ?? [];
      return { names: all.map((one) => one.__name), more: more.map((one: { __name: string }) => one.__name), body };
    };
    const managed = await seen(manager.token);
    expect(managed.more.slice(0, 3)).toEqual(["leads.job_title", "leads.name", "leads.salutation"]);
    expect(managed.names).toEqual(expect.arrayContaining(["leads.amount", "leads.addresses", "leads.owned_by"]));
    expect(new Set(managed.names).size).toBe(managed.names.length);
    const hidden = await seen(rep.token);
    expect(hidden.more).toEqual([]);
    expect(hidden.body.data.leads).not.toHaveProperty("amount");
    const q = encodeURIComponent(JSON.stringify({ fields: ["leads.amount"] }));
    expect((await service.get(`/crm/leads/index.json?q=${q}`, rep.token)).status).toBe(400);
    expect((await service.get(`/crm/leads/index.json?q=${q}`, manager.token)).status).toBe(200);
    expect((await saveForm(definition)).body.errors).toEqual([]);
  });

  test("is the organization's own", async () => {
    const strangers = await addOrganization(service, "strangers");
    const { body } = await formOf("/crm/leads/add.json", strangers.token);
    expect(body.form.form_metadata_id).not.toBe(form);
    expect(body.form.children[0].label).toBe("Details");
  });

  test.each<[string, unknown, RegExp]>([
    [
      "an unknown field",
      { sections: [{ section: "A", elements: [{ field: "shoe_size" }] }] },
      /there is no field shoe_size/,
    ],
    [
      "an unknown association",
      { sections: [{ section: "A", elements: [{ grid: "shoes" }] }] },
      /there are no children with this name/,
    ],
    [
      "a condition that cannot be read",
      { sections: [{ section: "A", elements: [{ field: "city", if_condition: "status ==" }] }] },
      /couldn't read the condition/,
    ],
    [
      "a condition over an unknown field",
      { sections: [{ section: "A", elements: [{ field: "city", if_condition: "shoe = 1" }] }] },
      /uses shoe/,
    ],
    [
      "a condition with an option that the field does not have",
      { sections: [{ section: "A", elements: [{ field: "city", if_condition: 'status in ("new", "nwe")' }] }] },
      /city: Status has no option nwe/,
    ],
    [
      "a default that does not fit",
      { sections: [{ section: "A", elements: [{ field: "score", default: "many" }] }] },
      /the default must be a whole number/,
    ],
    [
      "a field twice",
      { sections: [{ section: "A", elements: [{ field: "city" }, { field: "city" }] }] },
      /appears twice/,
    ],
    [
      "all others twice",
      {
        sections: [
          { section: "A", others: true, elements: [] },
          { section: "B", others: true, elements: [] },
        ],
      },
      /B: only one section can show all other fields/,
    ],
    [
      "others that are not true",
      { sections: [{ section: "A", others: false, elements: [] }] },
      /others: must be one of true/,
    ],
    ["neither tabs nor sections", {}, /either tabs or sections/],
    ["a key it does not know", { sections: [], script: "alert(1)" }, /script/],
  ])("with %s is refused", async (_, changed, sentence) => {
    const { status, body } = await saveForm(changed);
    expect(status).toBe(422);
    expect(body.errors_by_field["forms.definition"].join("; ")).toMatch(sentence);
  });

  test("is followed as soon as it is changed, and given up as soon as it is deleted", async () => {
    const simple = { sections: [{ section: "Only", elements: [{ field: "last_name" }] }] };
    expect((await saveForm(simple)).body.errors).toEqual([]);
    expect((await formOf("/crm/leads/add.json")).all.filter((one) => one.template === "input")).toHaveLength(1);
    await service.post(`/core/forms/delete.json?id=${form}&is_confirm=1`, {}, admin);
    const shipped = (await formOf("/crm/leads/add.json")).body.form;
    expect(shipped.children[0].children.map((one: { __name: string }) => one.__name)).toContain("leads.rating");
    await service.post(`/core/forms/delete.json?id=${shipped.form_metadata_id}&is_confirm=1`, {}, admin);
    expect((await formOf("/crm/leads/add.json")).body.form.form_metadata_id).toBeNull();
  });

  test("is looked at before it is saved, as a role would have it, and starts from the automatic one", async () => {
    const preview = (changed: unknown, more: Record<string, string> = {}, token = admin) =>
      service.post(
        "/core/forms/preview.json",
        { controller: "crm/leads", definition: JSON.stringify(changed), ...more },
        token,
      );
    const names = ({ body }: Awaited<ReturnType<typeof preview>>) => elements(body.form).map((one) => one.__name);
    expect(names(await preview(definition))).toContain("leads.amount");
    expect(names(await preview(definition, { role: "sales_rep" }))).not.toContain("leads.amount");
    const wrong = await preview({ sections: [{ section: "A", elements: [{ field: "nothing" }] }] });
    expect(wrong).toMatchObject({
      status: 422,
      body: { errors_by_field: { "forms.definition": [/no field nothing/] } },
    });
    const gone = { section: "A", elements: [{ field: "last_name" }], if_condition: 'status = "nowhere"' };
    const told = (await preview({ sections: [gone] })).body;
    expect([told.errors, told.warnings]).toEqual([[], [expect.stringContaining("nowhere")]]);
    expect((await preview(definition)).body.warnings).toEqual([]);
    expect((await preview(definition, {}, rep.token)).status).toBe(403);
    const { body } = await service.get("/core/forms/generated.json?controller=crm/leads", admin);
    expect(names(await preview(body.data.definition))).toContain("leads.last_name");
  });

  test("is saved by administrators alone", async () => {
    expect((await save("core/forms", "add", { name: "F", controller: "crm/leads", definition: "{}" })).status).toBe(
      403,
    );
  });
});

describe("the shipped forms", () => {
  const inUse = async (controller: string, token: string) =>
    (await service.get(`/${controller}/add.json`, token)).body.form.form_metadata_id as string | null;
  const give = async () => {
    await service.db.run(sql`delete from metadata__synced_tables where table_name = 'standard forms'`);
    return giveNewForms(service.db, buildSnapshot(builtInTypes, [], "test"));
  };

  test("reach organizations that were founded before, once, and leave forms of their own in use", async () => {
    const { token, organizationId } = await addOrganization(service, "earlier");
    for (const { controller } of standardForms) {
      const id = await inUse(controller, token);
      expect((await service.post(`/core/forms/delete.json?id=${id}&is_confirm=1`, {}, token)).status).toBe(200);
      expect(await inUse(controller, token)).toBeNull();
    }
    // What was removed does not come back.
    expect(await give()).toBe(0);
    const own = await save(
      "core/forms",
      "add",
      {
        name: "Ours",
        controller: "crm/quotes",
        is_default: "1",
        definition: JSON.stringify({ sections: [{ section: "A", others: true, elements: [] }] }),
      },
      token,
    );
    // As of an organization from the time when no forms were shipped.
    await service.db.run(sql`delete from core__given_forms where organization_id = ${organizationId}::bigint`);
    expect(await give()).toBe(4);
    expect(await inUse("crm/quotes", token)).toBe(own.body.id);
    expect(await inUse("crm/leads", token)).toEqual(expect.any(String));
    await service.post(`/core/forms/delete.json?id=${own.body.id}&is_confirm=1`, {}, token);
    expect(await give()).toBe(0);
    expect(await inUse("crm/quotes", token)).toBeNull();
  });
});
