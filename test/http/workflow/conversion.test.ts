// Converting a lead on the wire: what is asked first, what is used or left out instead of created, and taking it back.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addPerson, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let other: Person;

type Values = Record<string, unknown>;
const SAVE = { save_progress: "Save" };
const save = (type: string, operation: string, values: Values, token = rep.token, action: Values = SAVE) =>
  service.post(`/${type}/${operation}.json`, { data: { [type.split("/")[1] ?? ""]: values, action } }, token);
const add = async (type: string, values: Values, token = rep.token): Promise<string> => {
  const { body } = await save(type, "add", values, token);
  if (typeof body.id !== "string") throw new Error(JSON.stringify(body));
  return body.id;
};
const get = async (type: string, id: string, token = admin) => {
  const { status, body } = await service.get(`/${type}/view.json?id=${id}`, token);
  return { status, body, data: body.data?.[type.split("/")[1] ?? ""], workflow: body.workflow };
};
const isGone = async (type: string, id: string): Promise<boolean> => (await get(type, id)).data?.deleted !== "0";
const lead = (values: Values = {}) =>
  add("crm/leads", { first_name: "Ada", last_name: "Byron", company_name: "Engines", status: "qualified", ...values });
const convert = (id: string, records?: Values, token = rep.token): Promise<Answer> =>
  save("crm/leads", "edit", { id, stage_log: { records } }, token, { convert: "Convert" });
const undo = (id: string, token = rep.token) => service.post(`/crm/leads/undo_transition.json?id=${id}`, {}, token);
const counts = async () =>
  service.db.row(sql`
    select (select count(*) from crm__companies where deleted = 0)::text as companies,
      (select count(*) from crm__peoples where deleted = 0)::text as people,
      (select count(*) from crm__opportunities where deleted = 0)::text as deals`);

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  other = await addPerson(service, "other", ["sales_rep"]);
});
afterAll(() => service.stop());

describe("what is asked first", () => {
  test("each record that would be created, with those that look the same", async () => {
    const company = await add("crm/companies", { name: "ENGINES", website: "https://engines.example" });
    const person = await add("crm/peoples", { last_name: "King", email: "ada@engines.example" });
    const id = await lead({ email: "Ada@engines.example" });
    const { body } = await service.get(`/crm/leads/transition.json?id=${id}&name=convert`, rep.token);
    expect(body.data.transition.records).toEqual([
      expect.objectContaining({
        as: "company",
        controller: "crm/companies",
        name: "Engines",
        offers: ["existing"],
        matches: [expect.objectContaining({ id: company, name: "ENGINES", labels: ["Name"] })],
      }),
      expect.objectContaining({ as: "person", name: "Ada Byron", matches: [expect.objectContaining({ id: person })] }),
      expect.objectContaining({ as: "opportunity", offers: ["skip"], matches: [] }),
    ]);
    expect((await get("crm/leads", id, rep.token)).workflow.transitions).toContainEqual(
      expect.objectContaining({ name: "convert", has_choices: true }),
    );
  });
  test("no record of a type that somebody may not look at, whoever may read the record itself", async () => {
    const operations = [{ record_type: "crm/leads", operations: "index;view;add;edit" }];
    await add("access_controls/roles", { name: "Leads only", code: "leads_only", operations }, admin);
    const narrow = await addPerson(service, "narrow", ["leads_only"]);
    await add("crm/companies", { name: "Narrow Ways", owned_by: narrow.id }, admin);
    const id = await lead({ company_name: "Narrow Ways", owned_by: narrow.id });
    const { body } = await service.get(`/crm/leads/transition.json?id=${id}&name=convert`, narrow.token);
    expect(body.data.transition.records[0]).toMatchObject({ as: "company", offers: [], matches: [] });
  });
  test("nothing that stands in fields of the lead that are hidden from somebody", async () => {
    const operations = [{ record_type: "crm/leads", operations: "index;view;add;edit" }];
    const fields = [{ record_type: "crm/leads", field: "company_name", permission: "1" }];
    await add("access_controls/roles", { name: "Half blind", code: "half_blind", operations, fields }, admin);
    const blind = await addPerson(service, "blind", ["half_blind"]);
    const id = await lead({ company_name: "Unspoken", owned_by: blind.id });
    const { status, body } = await service.get(`/crm/leads/transition.json?id=${id}&name=convert`, blind.token);
    expect([status, JSON.stringify(body).includes("Unspoken")]).toEqual([200, false]);
    expect(body.data.transition.records).toContainEqual(expect.objectContaining({ as: "person", name: "Ada Byron" }));
  });
  test("nothing of a lead that somebody may not see, nor of a transition that is not there", async () => {
    const id = await lead();
    const asked = () => service.get(`/crm/leads/transition.json?id=${id}&name=convert`, other.token);
    expect((await asked()).status).toBe(404);
    const row = await service.db.row(sql`
      select principal_id::text as principal_id from access_controls__users where id = ${other.id}::bigint`);
    const shared = await service.post(`/crm/leads/share.json?id=${id}`, { ...row, rights: "read" }, rep.token);
    expect(shared.body.errors).toEqual([]);
    // Who only reads the lead is not told what would become of it.
    expect((await asked()).status).toBe(403);
    const { status, body } = await service.get(`/crm/leads/transition.json?id=${id}&name=fly`, rep.token);
    expect([status, body.errors[0]]).toEqual([400, expect.stringContaining("must be one of contact")]);
  });
});

describe("what is chosen", () => {
  test("nothing said: a company, a person and an opportunity are created", async () => {
    const before = await counts();
    expect((await convert(await lead())).body.errors).toEqual([]);
    expect(Number((await counts())?.deals)).toBe(Number(before?.deals) + 1);
  });
  test("records that are there are used, filled in where asked, and the opportunity is left out", async () => {
    const company = await add("crm/companies", { name: "Kept", website: "https://kept.example" });
    const person = await add("crm/peoples", { last_name: "Kept", company_id: company });
    const id = await lead({ website: "https://new.example", employees: "9", job_title: "Analyst" });
    const before = await counts();
    const { body } = await convert(id, { company: { use: company, merge: "1" }, person, opportunity: "none" });
    expect(body.errors).toEqual([]);
    expect(body.data.leads).toMatchObject({
      status: "converted",
      converted_company_id: company,
      converted_person_id: person,
      converted_opportunity_id: null,
    });
    expect(await counts()).toEqual(before);
    expect((await get("crm/companies", company)).data).toMatchObject({
      website: "https://kept.example/",
      employees: "9",
    });
    expect((await get("crm/peoples", person)).data).toMatchObject({ job_title: null, revision: "1" });
  });
  const refusals: readonly [string, () => Promise<Values>, number, RegExp][] = [
    ["a record that is not there", async () => ({ company: "999999" }), 404, /Company not found/],
    [
      "a record that is deleted",
      async () => {
        const company = await add("crm/companies", { name: "Deleted" });
        await service.post(`/crm/companies/delete.json?id=${company}&is_confirm=1`, {}, rep.token);
        return { company };
      },
      404,
      /Company not found/,
    ],
    ["an id that is none", async () => ({ company: "1 or 1=1" }), 404, /Company not found/],
    ["leaving out what is needed", async () => ({ company: "none" }), 422, /company can't be skipped/],
    [
      "a record where only new ones are made",
      async () => ({ opportunity: "1" }),
      422,
      /opportunity is always a new record/,
    ],
    ["a name that is not created", async () => ({ house: "1" }), 422, /It creates: company, person, opportunity/],
    [
      "filling in what is somebody else's",
      async () => ({ company: { use: await add("crm/companies", { name: "Theirs" }, other.token), merge: "1" } }),
      403,
      /permission to edit/,
    ],
  ];
  test.each(refusals)("%s is refused, and nothing is created", async (_, records, status, words) => {
    const [id, chosen] = [await lead({ employees: "9" }), await records()];
    const before = await counts();
    const answer = await convert(id, chosen);
    expect([answer.status, answer.body.errors.join(" ")]).toEqual([status, expect.stringMatching(words)]);
    expect(await counts()).toEqual(before);
    expect((await get("crm/leads", id)).workflow.__stage).toBe("Qualified");
  });
});

test("a record that can't be filled in tells nothing of fields that are hidden from whoever converts", async () => {
  const operations = ["crm/leads", "crm/companies"].map((record_type) => ({
    record_type,
    operations: "index;view;add;edit",
  }));
  const fields = [
    { record_type: "crm/leads", field: "employees", permission: "1" },
    { record_type: "crm/companies", field: "website", permission: "4" },
  ];
  await add("access_controls/roles", { name: "Filler", code: "filler", operations, fields }, admin);
  const filler = await addPerson(service, "filler", ["filler"]);
  const company = await add("crm/companies", { name: "Fillable", owned_by: filler.id }, admin);
  const id = await lead({ website: "https://new.example", employees: "424242", owned_by: filler.id });
  const { status, body } = await convert(id, { company: { use: company, merge: "1" } }, filler.token);
  expect([status, JSON.stringify(body).includes("424242")]).toEqual([422, false]);
});

describe("taking it back", () => {
  test("returns the lead and deletes what was created, once", async () => {
    const id = await lead({ email: "back@engines.example" });
    const before = { ...(await get("crm/leads", id)).data };
    const made = (await convert(id)).body;
    expect(made.workflow.undo).toEqual({
      name: "convert",
      label: "Convert",
      step: expect.stringMatching(/^\d+$/),
      from: made.workflow.stages.find(({ name }: Values) => name === "Qualified").id,
      has_created: true,
    });
    const { status, body } = await undo(id);
    expect([status, body.message]).toEqual([200, ["Convert undone"]]);
    const changing = { modified: undefined, revision: undefined, stage_since: undefined };
    expect({ ...body.data.leads, ...changing }).toMatchObject({ ...before, ...changing });
    for (const [type, name] of [
      ["crm/companies", "converted_company_id"],
      ["crm/peoples", "converted_person_id"],
      ["crm/opportunities", "converted_opportunity_id"],
    ] as const) {
      expect(await isGone(type, made.data.leads[name])).toBe(true);
    }
    expect(body.workflow.undo).toBeNull();
    const log = (await service.get(`/crm/leads/stage_log.json?id=${id}`, admin)).body.data.stage_log;
    expect(log.at(-1)).toMatchObject({ step: "move", kind: "undo", label: "Undo: Convert", __to: "Qualified" });
    const again = await undo(id);
    expect([again.status, again.body.errors[0]]).toEqual([409, expect.stringContaining("can't be undone")]);
    expect((await convert(id)).status).toBe(200);
  });
  test("puts a field that the step required back to what it was, as far as nobody changed it since", async () => {
    const disqualify = (id: string, values: Values = {}) =>
      save("crm/leads", "edit", { id, ...values }, rep.token, { give_up: "Disqualify" });
    const empty = await lead();
    expect((await disqualify(empty, { lost_reason: "price" })).body.errors).toEqual([]);
    const undone = (await undo(empty)).body;
    expect([undone.message, undone.data.leads]).toEqual([
      ["Disqualify undone"],
      expect.objectContaining({ status: "qualified", lost_reason: null }),
    ]);
    // The next time it is asked for again.
    expect((await disqualify(empty)).body.errors_by_field["leads.lost_reason"][0]).toMatch(/is required to Disqualify/);
    const filled = await lead({ lost_reason: "timing" });
    await disqualify(filled);
    expect((await undo(filled)).body.data.leads.lost_reason).toBe("timing");
    await disqualify(filled, { lost_reason: "price" });
    expect((await undo(filled)).body.data.leads.lost_reason).toBe("timing");
    await disqualify(filled, { lost_reason: "price" });
    await save("crm/leads", "edit", { id: filled, lost_reason: "competitor" });
    const kept = (await undo(filled)).body;
    expect([kept.message[1], kept.data.leads.lost_reason]).toEqual([
      expect.stringContaining("was kept because it has changed since"),
      "competitor",
    ]);
  });
  test("undoes the step that is named, never a newer one", async () => {
    const id = await lead({ company_name: "Named" });
    const undoNamed = (step: string) =>
      service.post(`/crm/leads/undo_transition.json?id=${id}&step=${step}`, {}, rep.token);
    const first = (await convert(id)).body.workflow.undo.step;
    expect((await undoNamed(first)).body.message).toEqual(["Convert undone"]);
    const { workflow, data } = (await convert(id)).body;
    for (const step of [first, "0", "x"]) {
      const { status, body } = await undoNamed(step);
      expect([status, body.errors[0]]).toEqual([409, expect.stringContaining("Another step was taken since")]);
    }
    expect((await get("crm/leads", id)).workflow.__stage).toBe("Converted");
    expect(await isGone("crm/companies", data.leads.converted_company_id)).toBe(false);
    expect((await undoNamed(workflow.undo.step)).status).toBe(200);
  });
  test("leaves what was touched since, and what was there before, and says so", async () => {
    const person = await add("crm/peoples", { last_name: "There" });
    const id = await lead({ company_name: "Touched" });
    const { converted_company_id: company, converted_opportunity_id: deal } = (await convert(id, { person })).body.data
      .leads;
    await save("crm/companies", "edit", { id: company, description: "Mine" });
    await save("crm/leads", "edit", { id, lost_reason: "price" });
    const { body } = await undo(id);
    expect(body.message).toContain("Company Touched was kept because it has changed since");
    expect(body.data.leads).toMatchObject({ status: "qualified", converted_company_id: null, lost_reason: "price" });
    expect([await isGone("crm/companies", company), await isGone("crm/opportunities", deal)]).toEqual([false, true]);
    expect(await isGone("crm/peoples", person)).toBe(false);
  });
  const principal = async () =>
    (await service.db.row(sql`select principal_id from access_controls__users where id = ${other.id}::bigint`))
      ?.principal_id;
  const additions: Readonly<Record<string, (company: string) => Promise<unknown>>> = {
    "a comment": (id) => add("core/comments", { related_type: "crm/companies", related_id: id, body: "Called them" }),
    "a child": (id) => save("crm/companies", "edit", { id, addresses: [{ address_line_1: "1 Road" }] }),
    "a child by itself": (id) =>
      add("core/addresses", { related_type: "crm/companies", related_id: id, address_line_1: "1 Road" }, admin),
    "a share": async (id) =>
      service.post(
        `/crm/companies/share.json?id=${id}`,
        { principal_id: await principal(), rights: "edit" },
        rep.token,
      ),
    "a record that names it": async (id) => add("crm/peoples", { last_name: "Later", company_id: id }),
  };
  test.each(Object.keys(additions))("leaves what has got %s since, and says so", async (what) => {
    const id = await lead({ company_name: "Grown" });
    const { converted_company_id: company, converted_person_id: person } = (await convert(id)).body.data.leads;
    await additions[what]?.(company);
    const { status, body } = await undo(id);
    expect([status, body.message.join()]).toEqual([200, expect.stringContaining("Company Grown was kept because")]);
    expect([await isGone("crm/companies", company), await isGone("crm/peoples", person)]).toEqual([false, true]);
    expect((await get("crm/leads", id)).workflow.__stage).toBe("Qualified");
  });
  test("is for those who could take it, and for the last step alone", async () => {
    const id = await lead();
    await convert(id);
    expect((await undo(id, other.token)).status).toBe(404);
    const plain = await lead();
    expect((await undo(plain)).status).toBe(409);
  });
  test("is not for those who only read a record, where its workflow names nobody", async () => {
    const when = "[employees] is not empty";
    const definition = {
      stages: [
        { key: "open", name: "Open", kind: "start", enter: [{ set: { website: '"https://open.example"' } }] },
        { key: "closed", name: "Closed", kind: "end" },
      ],
      transitions: [
        {
          name: "close",
          label: "Close",
          from: "open",
          to: "closed",
          undo: true,
          effects: [
            { set: { description: '"Closed"' }, when },
            { create: "crm/peoples", as: "person", values: { last_name: '"Closer"' }, when },
          ],
        },
      ],
    };
    const older = await add("crm/companies", { name: "Older" });
    const values = {
      name: "Life",
      controller: "crm/companies",
      is_active: "1",
      definition: JSON.stringify(definition),
    };
    await add("core/workflows", values, admin);
    const id = await add("crm/companies", { name: "Closing" });
    const offered = async (token: string) =>
      (await get("crm/companies", id, token)).workflow.transitions.map(({ name }: { name: string }) => name);
    expect([await offered(rep.token), await offered(other.token)]).toEqual([["close"], []]);
    const asked = async (token: string) =>
      (await service.get(`/crm/companies/transition.json?id=${id}&name=close`, token)).status;
    expect([await asked(rep.token), await asked(other.token)]).toEqual([200, 403]);
    const before = await counts();
    const close = (one: string) => save("crm/companies", "edit", { id: one }, rep.token, { close: "Close" });
    expect((await close(id)).body.errors).toEqual([]);
    // What is done under a condition is not done without it, and what a stage sets is set for those that begin there anew.
    expect((await get("crm/companies", id)).data).toMatchObject({
      description: null,
      website: "https://open.example/",
    });
    expect(await counts()).toEqual(before);
    await save("crm/companies", "edit", { id: older, employees: "9" });
    expect((await get("crm/companies", older)).data).toMatchObject({ current_stage: expect.anything(), website: null });
    expect((await close(older)).body.data.companies.description).toBe("Closed");
    expect(Number((await counts())?.people)).toBe(Number(before?.people) + 1);
    const undoIt = (token: string) => service.post(`/crm/companies/undo_transition.json?id=${id}`, {}, token);
    const shown = await get("crm/companies", id, other.token);
    expect([shown.status, shown.workflow.__stage, shown.workflow.undo]).toEqual([200, "Closed", null]);
    const refused = await undoIt(other.token);
    expect([refused.status, refused.body.errors[0]]).toEqual([403, expect.stringContaining("permission to edit")]);
    expect((await get("crm/companies", id)).workflow.__stage).toBe("Closed");
    expect((await undoIt(rep.token)).body.workflow.__stage).toBe("Open");
  });
  test("puts back what the workflow wrote, not what its taker changed along and the caller may not change", async () => {
    const id = await lead();
    const role = await service.db.row(sql`
      select id from access_controls__roles where organization_id = 1 and code = 'sales_rep'`);
    const readOnly = { role_id: role?.id, record_type: "crm/leads", field: "owned_by", permission: "4" };
    await add("access_controls/role_fields", readOnly, admin);
    await save("crm/leads", "edit", { id, owned_by: other.id }, admin);
    const sent = { id, owned_by: rep.id, description: "Along", campaign: "along" };
    expect((await save("crm/leads", "edit", sent, admin, { convert: "Convert" })).body.errors).toEqual([]);
    // Of what is hidden from them, they do not hear that it stays either.
    await save("crm/leads", "edit", { id, campaign: "since" }, admin);
    await add("access_controls/role_fields", { ...readOnly, field: "campaign", permission: "1" }, admin);
    const { status, body } = await undo(id);
    expect([status, body.message]).toEqual([
      200,
      ["Convert undone", expect.stringContaining("was kept because you can't edit it")],
    ]);
    expect(body.data.leads).toMatchObject({
      status: "qualified",
      owned_by: rep.id,
      description: null,
      converted_company_id: null,
    });
  });
  test("does not name what was made and has become somebody else's", async () => {
    const id = await lead({ company_name: "Before" });
    const { converted_opportunity_id: deal } = (await convert(id)).body.data.leads;
    await save("crm/opportunities", "edit", { id: deal, name: "Their secret", owned_by: other.id }, admin);
    expect((await get("crm/opportunities", deal, rep.token)).status).toBe(404);
    const { status, body } = await undo(id);
    expect([status, body.message[1]]).toEqual([
      200,
      expect.stringContaining("Another opportunity was kept because it has changed since"),
    ]);
    expect(JSON.stringify(body)).not.toContain("Their secret");
  });

  test("is checked like any other save: what is gone or taken by now does not come back, and the rest does", async () => {
    const definition = {
      module: "lab",
      controller: "tasks",
      label: "Task",
      plural: "Tasks",
      displayField: "name",
      fields: [
        { name: "name", type: "short-text" },
        { name: "code", label: "Code", type: "short-text", unique: true },
        { name: "person_id", label: "Person", type: "reference", settings: { to: "crm/peoples" } },
        { name: "remark", label: "Remark", type: "short-text" },
        { name: "note", label: "Note", type: "short-text" },
      ],
      access: { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] },
    };
    const design = async (options: readonly string[], more: object = {}) => {
      const kind = { name: "kind", label: "Kind", type: "choice" };
      const settings = { options: options.map((value) => ({ value, label: value })) };
      const fields = [...definition.fields, { ...kind, settings }];
      const sent = { definition: JSON.stringify({ ...definition, fields, ...more }) };
      expect((await service.post("/metadata/record_types/save.json", sent, admin)).body.errors).toEqual([]);
    };
    await design(["a", "b"]);
    const workflow = {
      stages: [
        { key: "open", name: "Open", kind: "start" },
        { key: "closed", name: "Closed", kind: "end" },
      ],
      transitions: [{ name: "close", label: "Close", from: "open", to: "closed", by: ["owner"], undo: true }],
    };
    const values = { name: "Tasks", controller: "lab/tasks", is_active: "1", definition: JSON.stringify(workflow) };
    await add("core/workflows", values, admin);
    const person = await add("crm/peoples", { last_name: "Leaving" }, admin);
    const task = { name: "One", code: "A", person_id: person, remark: "Before", note: "First", kind: "a" };
    const id = await add("lab/tasks", task, admin);
    const along = { id, code: "B", person_id: null, remark: "After", note: "Second", kind: "b" };
    expect((await save("lab/tasks", "edit", along, admin, { close: "Close" })).body.errors).toEqual([]);
    await add("lab/tasks", { name: "Two", code: "A" }, admin);
    await service.post(`/crm/peoples/delete.json?id=${person}&is_confirm=1`, {}, admin);
    // Whoever may edit it and could not have taken the step does not take it back.
    const second = await addPerson(service, "second", ["administrator"]);
    const refused = await service.post(`/lab/tasks/undo_transition.json?id=${id}`, {}, second.token);
    expect([refused.status, refused.body.error_code]).toEqual([403, "transition_forbidden"]);
    // Nor does it come to be what a rule of the type forbids by now.
    const rule = { name: "later", formula: 'remark != "Before"', message: "Say what came later" };
    await design(["a", "b"], { rules: [rule] });
    const broken = await service.post(`/lab/tasks/undo_transition.json?id=${id}`, {}, admin);
    expect([broken.status, broken.body.errors]).toEqual([422, expect.arrayContaining(["Say what came later"])]);
    await design(["b"]);
    const shown = ["name", "code", "person_id", "remark", "kind"].map((field) => ({ field }));
    const elements = [...shown, { field: "note", permission: 4 }];
    const form = { sections: [{ section: "All", elements }] };
    const readOnly = { name: "Tasks", controller: "lab/tasks", is_default: "1", definition: JSON.stringify(form) };
    await add("core/forms", readOnly, admin);
    const { status, body } = await service.post(`/lab/tasks/undo_transition.json?id=${id}`, {}, admin);
    expect(status).toBe(200);
    expect(body.message.join(" ")).toMatch(/Kind was kept: Kind must be one of/);
    expect(body.message.join(" ")).toMatch(/Code was kept: /);
    expect(body.message.join(" ")).toMatch(/Person was kept: /);
    expect(body.message.join(" ")).toMatch(/Note was kept because you can't edit it/);
    expect(body.data.tasks).toMatchObject({ code: "B", person_id: null, remark: "Before", note: "Second", kind: "b" });
    expect(body.workflow.__stage).toBe("Open");
  });
});
