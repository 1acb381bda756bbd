// Workflows on the wire: what a transition does, who may take it, what is refused, and that what is refused changes nothing.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows, elements, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let other: Person;
let boss: Person;
let manager: Person;

type Values = Record<string, unknown>;
const SAVE = { save_progress: "Save" };

const post = (type: string, operation: string, values: Values, action: Values, token: string): Promise<Answer> =>
  service.post(`/${type}/${operation}.json`, { data: { [type.split("/")[1] ?? ""]: values, action } }, token);
const add = async (type: string, values: Values, token = rep.token): Promise<string> => {
  const { body } = await post(type, "add", values, SAVE, token);
  if (typeof body.id !== "string") throw new Error(JSON.stringify(body));
  return body.id;
};
const take = (type: string, id: string, action: string, values: Values = {}, token = rep.token): Promise<Answer> =>
  post(type, "edit", { id, ...values }, { [action]: action }, token);
const view = async (type: string, id: string, token = admin) =>
  (await service.get(`/${type}/view.json?id=${id}`, token)).body;
const log = async (type: string, id: string, token = admin) =>
  (await service.get(`/${type}/stage_log.json?id=${id}`, token)).body.data.stage_log;
const offered = async (type: string, id: string, token: string): Promise<string[]> => {
  const { body } = await service.get(`/${type}/edit.json?id=${id}`, token);
  return elements(body.form)
    .filter((one) => one.template === "submit")
    .map((one) => one.name[1])
    .filter((name) => !name.startsWith("save_"));
};
const stageIds = async (controller: string): Promise<Record<string, string>> => {
  const { body } = await service.get(`/core/workflows/stages.json?controller=${controller}`, admin);
  return Object.fromEntries(body.data.stages.map((stage: { key: string; id: string }) => [stage.key, stage.id]));
};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  boss = await addPerson(service, "boss", ["sales_rep"]);
  manager = await addPerson(service, "manager", ["sales_manager"]);
  rep = await addPerson(service, "rep", ["sales_rep"]);
  other = await addPerson(service, "other", ["sales_rep"]);
  const { body } = await post("access_controls/users", "edit", { id: rep.id, manager_id: boss.id }, SAVE, admin);
  expect(body.errors).toEqual([]);
});
afterAll(() => service.stop());

describe("a lead", () => {
  test("starts in the first stage, with a log entry, and offers what its owner may do", async () => {
    const id = await add("crm/leads", { last_name: "Start" });
    const { workflow, data } = await view("crm/leads", id, rep.token);
    expect(workflow).toMatchObject({
      name: "Leads",
      version: "1",
      __stage: "New",
      actors: ["rep"],
      is_my_turn: true,
    });
    expect(data.leads).toMatchObject({
      current_stage: workflow.stage,
      __current_stage: "New",
      stage_log: { node_id: workflow.stage },
    });
    expect(await offered("crm/leads", id, rep.token)).toEqual(["contact", "qualify", "give_up"]);
    expect(await log("crm/leads", id)).toMatchObject([
      { step: "start", from: null, __to: "New", __created_by: "rep", left: null },
    ]);
  });
  test("is converted into a company, a person and an opportunity that know each other", async () => {
    const id = await add("crm/leads", { first_name: "Ada", last_name: "Lovelace", amount: "120.50", source: "web" });
    expect((await take("crm/leads", id, "qualify")).body.workflow.__stage).toBe("Qualified");
    const answer = await take("crm/leads", id, "convert", { company_name: "Engines" });
    expect(answer.body.errors).toEqual([]);
    const lead = answer.body.data.leads;
    expect(lead).toMatchObject({
      status: "converted",
      __current_stage: "Converted",
      __converted_company_id: "Engines",
    });
    const person = (await view("crm/peoples", lead.converted_person_id)).data.peoples;
    expect(person).toMatchObject({ name: "Ada Lovelace", company_id: lead.converted_company_id, owned_by: rep.id });
    const deal = (await view("crm/opportunities", lead.converted_opportunity_id)).data.opportunities;
    expect(deal).toMatchObject({
      amount: "120.50",
      probability: "10",
      company_id: lead.converted_company_id,
      person_id: lead.converted_person_id,
      __current_stage: "Qualification",
    });
    expect((await log("crm/leads", id)).map((entry: { __to: string }) => entry.__to)).toEqual([
      "New",
      "Qualified",
      "Converted",
    ]);
  });
});

describe("a quote whose discount needs approval", () => {
  const QUOTES = "crm/quotes";
  const draft = (discount: string, more: Values = {}) =>
    add(QUOTES, { name: "Offer", amount: "1000", discount, ...more });

  test("takes the way that its discount asks for", async () => {
    const id = await draft("20");
    expect(await offered(QUOTES, id, rep.token)).toEqual(["submit"]);
    // What can be taken is not among what cannot.
    const { blocked } = (await view(QUOTES, id, rep.token)).workflow;
    expect(blocked.map(({ name, reason }: Record<string, string>) => [name, reason])).toEqual([
      ["release", "Release requires discount is empty or discount <= 10"],
      ["submit_large", "Submit for both approvals requires discount > 25"],
    ]);
    const released = await take(QUOTES, id, "release");
    expect(released.status).toBe(422);
    expect(released.body).toMatchObject({
      error_code: "condition_unmet",
      errors: [expect.stringContaining("submit (Submit for approval)")],
    });
    // What is sent along counts: the condition sees the record as it would be.
    const answer = await take(QUOTES, id, "release", { discount: "5" });
    expect(answer.body.workflow.__stage).toBe("Approved");
    expect(answer.body.data.quotes.net_amount).toBe("950.00");
  });

  test("lends its approvers the right to read and act, and takes it back when the stage ends", async () => {
    const id = await draft("20");
    expect((await service.get(`/${QUOTES}/view.json?id=${id}`, boss.token)).status).toBe(404);
    await take(QUOTES, id, "submit");
    const seen = await view(QUOTES, id, boss.token);
    expect(seen).toMatchObject({ is_editable: 0, workflow: { is_my_turn: true, actors: ["boss", "Sales manager"] } });
    const sets = async () =>
      service.db.row(sql`
        select array_length(s._acl_tmp, 1)::text as read, array_length(s._acl_tmp_edit, 1)::text as edit,
          array_length(s.actors, 1)::text as act
        from crm__quotes q join core__acl_sets s on s.organization_id = q.organization_id and s.id = q.acl_id
        where q.id = ${id}::bigint`);
    expect(await sets()).toEqual({ read: "2", edit: null, act: "2" });
    expect((await take(QUOTES, id, "approve", {}, boss.token)).body.errors).toEqual([]);
    expect((await service.get(`/${QUOTES}/view.json?id=${id}`, boss.token)).status).toBe(404);
    expect(await sets()).toEqual({ read: "1", edit: "1", act: "1" });
    const quote = (await view(QUOTES, id)).data.quotes;
    expect(quote).toMatchObject({ approved_by_id: boss.id, __current_stage: "Approved" });
  });

  test("keeps what was agreed to: amount and discount change in its draft alone, one by one and in bulk", async () => {
    const id = await draft("5");
    await take(QUOTES, id, "release");
    expect((await view(QUOTES, id)).workflow.fixed).toEqual(["amount", "currency_id", "discount"]);
    const refused = { "quotes.discount": ["Discount can't be changed in stage Approved"] };
    for (const answer of [
      await post(QUOTES, "edit", { id, discount: "90", description: "Cheap" }, SAVE, rep.token),
      await take(QUOTES, id, "send", { discount: "90" }),
      await post(QUOTES, "edit", { id, discount: "90" }, SAVE, admin),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.body.errors_by_field).toEqual(refused);
    }
    const bulk = await service.post(
      `/${QUOTES}/edit_selected.json`,
      { ids: [id], data: { quotes: { discount: "90" } } },
      admin,
    );
    expect(bulk.body.errors).toContain(refused["quotes.discount"][0]);
    expect(
      (await post(QUOTES, "edit", { id, discount: "5.0", description: "As it was" }, SAVE, rep.token)).status,
    ).toBe(200);
    expect((await take(QUOTES, id, "revise")).body.workflow.fixed).toEqual([]);
    expect((await post(QUOTES, "edit", { id, discount: "90" }, SAVE, rep.token)).status).toBe(200);
    expect(await offered(QUOTES, id, rep.token)).toEqual(["submit_large"]);
  });

  test("an approver who may not edit changes nothing but the stage", async () => {
    const id = await draft("20");
    await take(QUOTES, id, "submit");
    const answer = await take(QUOTES, id, "approve", { name: "Mine now" }, boss.token);
    expect(answer.status).toBe(422);
    expect(answer.body.errors_by_field).toEqual({ "quotes.name": ["You can't edit Name"] });
    const along = await take(QUOTES, id, "approve", { comments: [{ body: "Along" }] }, boss.token);
    expect([along.status, Object.keys(along.body.errors_by_field)]).toEqual([422, ["quotes.comments"]]);
    const plain = await post(QUOTES, "edit", { id, name: "Mine now" }, SAVE, boss.token);
    expect(plain.status).toBe(403);
    expect((await view(QUOTES, id)).workflow.__stage).toBe("Waiting for approval");
  });

  test("one that needs all waits for each of them", async () => {
    const id = await draft("40");
    await take(QUOTES, id, "submit_large");
    const first = await take(QUOTES, id, "approve_large", {}, manager.token);
    expect(first.body.workflow).toMatchObject({
      __stage: "Waiting for both approvals",
      actors: ["boss"],
      agreed: ["Sales manager"],
      is_my_turn: false,
    });
    const again = await take(QUOTES, id, "approve_large", {}, manager.token);
    expect(again.status).toBe(403);
    expect(again.body.errors[0]).toContain("waiting for boss");
    expect((await view(QUOTES, id)).workflow.__stage).toBe("Waiting for both approvals");
    expect((await take(QUOTES, id, "approve_large", {}, boss.token)).status).toBe(200);
    expect((await view(QUOTES, id)).workflow.__stage).toBe("Approved");
    expect((await log(QUOTES, id)).map(({ step, kind }: { step: string; kind: string }) => [step, kind])).toEqual([
      ["start", null],
      ["move", "move"],
      ["vote", "approve"],
      ["move", "approve"],
    ]);
  });

  test("one that needs all does not wait for a manager whom the owner does not have", async () => {
    const id = await add(QUOTES, { name: "Offer", amount: "1000", discount: "40" }, other.token);
    await take(QUOTES, id, "submit_large", {}, other.token);
    expect((await take(QUOTES, id, "approve_large", {}, manager.token)).body.workflow.__stage).toBe("Approved");
  });

  test("tells those whose turn it is, and the owner of what became of it, by notification and mail", async () => {
    await post(
      "access_controls/users",
      "edit",
      { id: rep.id, email_addresses: [{ email: "rep@shop.example", type: "work" }] },
      SAVE,
      admin,
    );
    const id = await draft("20", { name: "Told" });
    const told = async (token: string) =>
      (await service.get("/core/notifications/mine.json", token)).body.data.notifications
        .filter((one: { related_id: string }) => one.related_id === id)
        .map((one: { text: string }) => one.text);
    await take(QUOTES, id, "submit");
    for (const token of [boss.token, manager.token]) {
      expect(await told(token)).toEqual(["Quote: your action needed (Waiting for approval)"]);
    }
    // What is refused tells nobody.
    await take(QUOTES, id, "reject", {}, manager.token);
    expect(await told(rep.token)).toEqual([]);
    await take(QUOTES, id, "approve", {}, manager.token);
    expect(await told(rep.token)).toEqual(
      expect.arrayContaining(["The quote Told is approved", "Quote: your action needed (Approved)"]),
    );
    // What was delivered is wiped from the outbox: without a server for mail, messages are files.
    const folder = path.join(service.dataDir, "mail");
    const messages = () =>
      (existsSync(folder) ? readdirSync(folder) : []).map((name) => readFileSync(path.join(folder, name), "utf8"));
    await expect
      .poll(messages)
      .toContainEqual(
        expect.stringMatching(/^(?=[\s\S]*To: .*rep@shop\.example)(?=[\s\S]*Subject: The quote Told is approved)/),
      );
  });

  test("is rejected only with a reason, which the log keeps", async () => {
    const id = await draft("20");
    await take(QUOTES, id, "submit");
    const bare = await take(QUOTES, id, "reject", {}, manager.token);
    expect(bare.status).toBe(422);
    expect(bare.body.errors_by_field).toEqual({ "quotes.stage_log.comment": ["A reason is required to Reject"] });
    const said = "x".repeat(10_001);
    const long = await take(QUOTES, id, "reject", { stage_log: { comment: said } }, manager.token);
    expect([long.status, long.body.errors_by_field]).toEqual([
      422,
      { "quotes.stage_log.comment": ["The reason or comment must have at most 10,000 characters"] },
    ]);
    expect(long.body.data.quotes.stage_log.comment).toBe(said);
    const answer = await take(QUOTES, id, "reject", { stage_log: { comment: "Too much" } }, manager.token);
    expect(answer.status).toBe(200);
    expect((await log(QUOTES, id)).at(-1)).toMatchObject({
      kind: "reject",
      comment: "Too much",
      __from: "Waiting for approval",
      __to: "Draft",
      __created_by: "manager",
    });
  });

  test("votes of an earlier round do not count", async () => {
    const id = await draft("40");
    await take(QUOTES, id, "submit_large");
    await take(QUOTES, id, "approve_large", {}, manager.token);
    await take(QUOTES, id, "recall");
    await take(QUOTES, id, "submit_large");
    expect((await view(QUOTES, id)).workflow).toMatchObject({ actors: ["boss", "Sales manager"], agreed: [] });
    await take(QUOTES, id, "approve_large", {}, boss.token);
    expect((await view(QUOTES, id)).workflow.__stage).toBe("Waiting for both approvals");
  });

  test("is recalled by its owner alone", async () => {
    const id = await draft("20");
    await take(QUOTES, id, "submit");
    expect((await take(QUOTES, id, "recall", {}, manager.token)).body.error_code).toBe("transition_forbidden");
    expect((await take(QUOTES, id, "recall")).body.workflow.__stage).toBe("Draft");
  });

  test("follows its owner and the owner's manager", async () => {
    const id = await draft("20");
    await take(QUOTES, id, "submit");
    const setManager = (who: string | null) =>
      post("access_controls/users", "edit", { id: rep.id, manager_id: who }, SAVE, admin);
    await setManager(other.id);
    expect((await service.get(`/${QUOTES}/view.json?id=${id}`, boss.token)).status).toBe(404);
    expect((await view(QUOTES, id, other.token)).workflow.is_my_turn).toBe(true);
    await setManager(boss.id);
    expect((await service.get(`/${QUOTES}/view.json?id=${id}`, other.token)).status).toBe(404);
    expect((await take(QUOTES, id, "approve", {}, boss.token)).status).toBe(200);
  });
});

describe("what is refused changes nothing", () => {
  const LEADS = "crm/leads";
  let id: string;
  let before: unknown;
  beforeAll(async () => {
    id = await add(LEADS, { last_name: "Fixed" });
    before = await snapshotOf(id);
  });
  const snapshotOf = async (lead: string) => [
    (await view(LEADS, lead)).data.leads,
    (await log(LEADS, lead)).map(({ seconds: _, ...entry }: { seconds: string }) => entry),
  ];

  const cases: readonly [string, () => Promise<Answer>, number, RegExp][] = [
    [
      "a transition of another stage",
      () => take(LEADS, id, "convert"),
      422,
      /Available now: .*contact \(Mark as contacted\)/,
    ],
    ["an action that nobody knows", () => take(LEADS, id, "fly"), 422, /Available now: .*qualify \(Qualify\)/],
    [
      "two actions at once",
      () => post(LEADS, "edit", { id }, { contact: "Contact", qualify: "Qualify" }, rep.token),
      422,
      /exactly one action/,
    ],
    ["a required field that is empty", () => take(LEADS, id, "give_up"), 422, /Disqualification reason is required/],
    [
      "a stage that is not the record's",
      async () => take(LEADS, id, "contact", { stage_log: { node_id: (await stageIds(LEADS)).qualified } }),
      409,
      /has moved to New.*Available now: .*contact/,
    ],
    [
      "saving from a stage that is not the record's",
      async () => post(LEADS, "edit", { id, stage_log: { node_id: "nonsense" } }, SAVE, rep.token),
      409,
      /has moved to New/,
    ],
    ["a stale revision", () => take(LEADS, id, "contact", { revision: "77" }), 409, /Someone else changed this record/],
    ["somebody who may not see it", () => take(LEADS, id, "contact", {}, other.token), 404, /not found/],
    ["an invalid value", () => take(LEADS, id, "contact", { score: "many" }), 422, /Score/],
    ["a stage log that is a text", () => take(LEADS, id, "contact", { stage_log: "2" }), 400, /stage_log/],
    [
      "a transition on a new record",
      () => post(LEADS, "add", { last_name: "X" }, { contact: "C" }, rep.token),
      422,
      /exactly one/,
    ],
  ];
  test.each(cases)("%s", async (_, attempt, status, words) => {
    const { status: answered, body } = await attempt();
    expect(answered, JSON.stringify(body.errors)).toBe(status);
    expect(body.errors.join(" ")).toMatch(words);
    expect(await snapshotOf(id)).toEqual(before);
  });

  test("a stage that is sent as a plain field is not written", async () => {
    const { qualified } = await stageIds(LEADS);
    const sent = { id, current_stage: qualified, stage_since: "2020-01-01 00:00:00", workflow_version: "9" };
    expect((await post(LEADS, "edit", sent, SAVE, rep.token)).status).toBe(200);
    expect((await view(LEADS, id)).workflow).toMatchObject({ __stage: "New", version: "1" });
  });

  test("a conversion that cannot make its records makes none, and the lead stays", async () => {
    const lead = await add(LEADS, { last_name: "Half", company_name: "C", website: "https://half.example" });
    await take(LEADS, lead, "qualify");
    const count = () => service.db.row(sql`select count(*)::text as n from crm__companies`);
    const companies = await count();
    await service.db.run(
      sql`alter table crm__opportunities add constraint none check (name not like 'C: %') not valid`,
    );
    const answer = await take(LEADS, lead, "convert");
    await service.db.run(sql`alter table crm__opportunities drop constraint none`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await count()).toEqual(companies);
    expect((await view(LEADS, lead)).workflow.__stage).toBe("Qualified");
  });
});

test("of two who take a transition at once, one wins and the other is told so", async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await add("crm/leads", { last_name: "Raced" });
    const node = (await view("crm/leads", id)).workflow.stage;
    const answers = await Promise.all([
      take("crm/leads", id, "contact", { stage_log: { node_id: node } }),
      take("crm/leads", id, "qualify", { stage_log: { node_id: node } }, manager.token),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error_code).toBe("stage_moved");
    expect(await log("crm/leads", id)).toHaveLength(2);
  }
});

describe("lists", () => {
  test("show stage and actors, and can be filtered, sorted and grouped by stage", async () => {
    const names = ["One", "Two", "Three"];
    for (const name of names) await add("crm/quotes", { name, description: "listed", amount: "10", discount: "15" });
    const q = (more: object) =>
      encodeURIComponent(
        JSON.stringify({
          fields: ["quotes.name", "quotes.current_stage", "quotes.owned_by.name", "quotes.current_workflow_actors"],
          where: { "quotes.description": "listed" },
          ...more,
        }),
      );
    const list = async (more: object) =>
      (await service.get(`/crm/quotes/index.json?q=${q(more)}`, rep.token)).body.paginate;
    const [{ "quotes.id": second }] = (await list({ order: ["quotes.name DESC"] })).data;
    await take("crm/quotes", second, "submit");
    const sorted = await list({ order: ["quotes.current_stage DESC", "quotes.id ASC"] });
    expect(sorted.data.map((row: Record<string, string>) => [row["quotes.name"], row["Current Stage"]])).toEqual([
      ["Two", "Waiting for approval"],
      ["One", "Draft"],
      ["Three", "Draft"],
    ]);
    // By their place in the workflow: by name, Contacted would come before New.
    const [first, last] = [
      await add("crm/leads", { last_name: "Sorted" }),
      await add("crm/leads", { last_name: "Sorted" }),
    ];
    await take("crm/leads", last, "contact");
    const byStage = encodeURIComponent(
      JSON.stringify({ where: { "leads.last_name": "Sorted" }, order: ["leads.current_stage ASC"] }),
    );
    const { data: leads } = (await service.get(`/crm/leads/index.json?q=${byStage}`, rep.token)).body.paginate;
    expect(leads.map((row: Record<string, string>) => row["leads.id"])).toEqual([first, last]);
    expect(sorted.data.map((row: Record<string, string>) => row["Current Workflow Actors"])).toEqual([
      "Sales manager, boss",
      "rep",
      "rep",
    ]);
    expect(sorted.header.at(-1)).toMatchObject({
      column_name: "quotes.current_workflow_actors",
      alias: "Current Workflow Actors",
      sortable: false,
      searchable: false,
    });
    const waiting = await list({
      where: { "quotes.description": "listed", "quotes.current_stage.name": "Waiting for approval" },
    });
    expect(waiting.total_count).toBe(1);
    const groups = await list({
      fields: ["quotes.current_stage", "count(quotes.id) as n"],
      group: ["quotes.current_stage"],
    });
    expect(groups.data).toHaveLength(2);
    const csv = await service.get(`/crm/quotes/export.json?format=csv&q=${q({})}`, rep.token);
    expect(csv.body).toContain("Sales manager, boss");
  });

  test("are narrowed to what waits for somebody, by itself, by a role or by a group", async () => {
    await add("crm/quotes", { name: "Drafted", description: "whose turn", amount: "10" });
    const asked = await add("crm/quotes", { name: "Asked", description: "whose turn", amount: "10", discount: "15" });
    await take("crm/quotes", asked, "submit");
    const where = (actors: unknown) => ({
      "quotes.description": "whose turn",
      "quotes.current_workflow_actors": actors,
    });
    const q = (more: object) => `q=${encodeURIComponent(JSON.stringify({ order: ["quotes.id ASC"], ...more }))}`;
    const list = (actors: unknown, token = admin) =>
      service.get(`/crm/quotes/index.json?${q({ where: where(actors) })}`, token);
    const turnOf = async (actors: unknown, token?: string) => {
      const { data, total_count: count } = (await list(actors, token)).body.paginate;
      expect(count).toBe(data.length);
      return data.map((row: Record<string, string>) => row.record_display_name);
    };
    expect(await turnOf(rep.id)).toEqual(["Drafted"]);
    expect(await turnOf(boss.id)).toEqual(["Asked"]);
    expect(await turnOf("{{CURRENT_USER}}", manager.token)).toEqual(["Asked"]);
    expect(await turnOf([rep.id, boss.id])).toEqual(["Drafted", "Asked"]);
    expect(await turnOf({ op: "!=", value: rep.id })).toEqual(["Asked"]);
    expect(await turnOf({ op: "is null" })).toEqual([]);
    // Who takes a role on has its turns at once, and no longer.
    expect(await turnOf(other.id)).toEqual([]);
    const role = (await service.db.row(sql`select id from access_controls__roles where code = 'sales_manager'`))?.id;
    const given = { id: other.id, roles_users: [{ role_id: role }] };
    const { body } = await post("access_controls/users", "edit", given, SAVE, admin);
    expect(await turnOf(other.id)).toEqual(["Asked"]);
    const rows = body.data.users.roles_users.filter((one: { role_id: string }) => one.role_id === role);
    const taken = { id: other.id, roles_users: [{ id: rows[0].id, deleted: "1" }] };
    await post("access_controls/users", "edit", taken, SAVE, admin);
    expect(await turnOf(other.id)).toEqual([]);
    const later = await add("crm/quotes", { name: "Later", amount: "10", discount: "15" });
    await take("crm/quotes", later, "submit");
    const told = (await service.get("/core/notifications/mine.json", other.token)).body.data.notifications;
    expect(told.filter((one: { related_id: string }) => one.related_id === later)).toEqual([]);
    for (const wrong of ["somebody", { op: "contains", value: "rep" }, { op: ">", value: "1" }]) {
      const { status, body: refused } = await list(wrong);
      expect([status, refused.errors[0]]).toEqual([400, expect.stringContaining("quotes.current_workflow_actors")]);
    }
  });

  test("of a rename tell the new name at once", async () => {
    const id = await add("crm/quotes", { name: "Renamed actor", amount: "1" }, other.token);
    const row = async () =>
      (
        await service.get(
          `/crm/quotes/index.json?q=${encodeURIComponent(JSON.stringify({ fields: ["*"], where: { id } }))}`,
          other.token,
        )
      ).body.paginate.data[0]["Current Workflow Actors"];
    expect(await row()).toBe("other");
    await post("access_controls/users", "edit", { id: other.id, last_name: "Another" }, SAVE, admin);
    expect(await row()).toBe("Another");
    await post("access_controls/users", "edit", { id: other.id, last_name: "other" }, SAVE, admin);
  });
});

test("my work lists what waits for the caller in all record types, longest first, with counts", async () => {
  const fresh = await addPerson(service, "fresh", ["sales_rep"]);
  const work = async (query = "", token = fresh.token) =>
    (await service.get(`/core/workflows/my_work.json${query}`, token)).body;
  expect(await work()).toMatchObject({ data: { my_work: [], counts: [] }, total_count: 0 });
  const lead = await add("crm/leads", { last_name: "Waits" }, fresh.token);
  const quote = await add("crm/quotes", { name: "Waits too", amount: "5", discount: "12" }, fresh.token);
  await service.db.run(
    sql`update crm__leads set stage_since = stage_since - interval '1 day' where id = ${lead}::bigint`,
  );
  const both = await work();
  expect(both.total_count).toBe(2);
  expect(both.data.my_work).toMatchObject([
    { controller: "crm/leads", id: lead, record_display_name: "Waits", __current_stage: "New", __owned_by: "fresh" },
    { controller: "crm/quotes", id: quote, __current_stage: "Draft" },
  ]);
  expect((await work("?limit=1&page=2")).data.my_work).toMatchObject([{ id: quote }]);
  expect((await work("?controller=crm/quotes")).total_count).toBe(1);
  await take("crm/quotes", quote, "submit", {}, fresh.token);
  expect((await work()).data.counts).toEqual([{ controller: "crm/leads", label: "Leads", count: 1 }]);
  const forManager = await work("?controller=crm/quotes&limit=1000", manager.token);
  expect(forManager.data.my_work.map((row: { id: string }) => row.id)).toContain(quote);
  await service.post(`/crm/leads/delete.json?id=${lead}&is_confirm=1`, {}, fresh.token);
  expect((await work()).total_count).toBe(0);
});

test("my work leaves out records of types that the caller's roles do not let it look at", async () => {
  const operations = [{ record_type: "crm/quotes", operations: "index;view" }];
  await add("access_controls/roles", { name: "Quotes only", code: "quotes_only", operations }, admin);
  const narrow = await addPerson(service, "narrow", ["quotes_only"]);
  await add("crm/leads", { last_name: "Out of sight", owned_by: narrow.id }, admin);
  const { body } = await service.get("/core/workflows/my_work.json", narrow.token);
  expect(body).toMatchObject({ data: { my_work: [], counts: [] }, total_count: 0 });
});

test("whoever no role lets edit records of a type is offered no transition of one, and told why", async () => {
  const operations = [{ record_type: "crm/leads", operations: "index;view" }];
  await add("access_controls/roles", { name: "Leads to look at", code: "leads_to_look_at", operations }, admin);
  const looker = await addPerson(service, "looker", ["leads_to_look_at"]);
  const id = await add("crm/leads", { last_name: "Looked at", owned_by: looker.id }, admin);
  const { workflow } = await view("crm/leads", id, looker.token);
  expect(workflow).toMatchObject({ is_my_turn: true, transitions: [], undo: null });
  expect([...new Set(workflow.blocked.map(({ reason }: { reason: string }) => reason))]).toEqual([
    "None of your roles allows editing Leads",
  ]);
  expect((await take("crm/leads", id, "qualify", {}, looker.token)).status).toBe(403);
});

describe("a workflow made over the wire", () => {
  const stages = [
    { key: "open", name: "Open", kind: "start", actors: ["owner"] },
    { key: "shut", name: "Shut", kind: "end" },
  ];
  const shut = { name: "shut", label: "Shut", from: "open", to: "shut" };
  const saveWorkflow = (values: Values, operation = "add", token = admin) =>
    post("core/workflows", operation, values, SAVE, token);

  test.each<[string, unknown, RegExp]>([
    ["no start", { stages: [stages[1]], transitions: [] }, /must be exactly one start/],
    [
      "a stage that nothing leads to",
      { stages: [...stages, { key: "x", name: "X", kind: "end" }], transitions: [shut] },
      /stages\.x: no transition leads here/,
    ],
    [
      "a way out of an end",
      { stages, transitions: [shut, { ...shut, name: "back", from: "shut", to: "open" }] },
      /leads out of an end/,
    ],
    [
      "a dead end",
      { stages: [{ ...stages[0] }, { key: "shut", name: "2" }], transitions: [shut] },
      /no transition leads out/,
    ],
    ["a stage that is not there", { stages, transitions: [{ ...shut, to: "gone" }] }, /there is no stage gone/],
    ["the name of a save", { stages, transitions: [{ ...shut, name: "save_progress" }] }, /this name is taken/],
    [
      "a condition on an unknown field",
      { stages, transitions: [{ ...shut, condition: "colour = 1" }] },
      /no field colour/,
    ],
    ["a condition that cannot be read", { stages, transitions: [{ ...shut, condition: "a =" }] }, /condition/],
    [
      "a required field that is not there",
      { stages, transitions: [{ ...shut, required: ["colour"] }] },
      /no field colour/,
    ],
    [
      "an expression that cannot be read",
      { stages, transitions: [{ ...shut, effects: [{ set: { name: "1 +" } }] }] },
      /set\.name/,
    ],
    [
      "setting the stage",
      { stages, transitions: [{ ...shut, effects: [{ set: { current_stage: '"x"' } }] }] },
      /system field/,
    ],
    [
      "making users",
      { stages, transitions: [{ ...shut, effects: [{ create: "core/listviews", values: {} }] }] },
      /not a record type/,
    ],
    ["a role that is not there", { stages, transitions: [{ ...shut, by: ["role:pope"] }] }, /role:pope does not exist/],
    [
      "a field that names no user",
      { stages, transitions: [{ ...shut, by: ["field:name"] }] },
      /not a field that refers to a user/,
    ],
    ["something that is no workflow", ["x"], /Definition/],
  ])("is refused with %s", async (_, definition, words) => {
    const text = JSON.stringify(definition);
    const answer = await saveWorkflow({ name: "Bad", controller: "crm/companies", definition: text });
    expect(answer.status).toBe(422);
    expect(answer.body.errors_by_field["workflows.definition"].join(" ")).toMatch(words);
  });

  test("is for administrators, for one type, and one at a time", async () => {
    const definition = { stages, transitions: [shut] };
    const wire = { name: "W", controller: "crm/companies", definition };
    expect((await saveWorkflow(wire, "add", manager.token)).status).toBe(403);
    expect((await saveWorkflow({ ...wire, controller: "core/listviews" })).body.errors[1] ?? "").toMatch(/can't have/);
    expect((await saveWorkflow({ ...wire, controller: "crm/leads" })).body.errors.join()).toMatch(/Leads already/);
    // Nor does one come back beside another.
    const text = JSON.stringify(definition);
    const former = { name: "Former", controller: "crm/leads", is_active: "1", definition: text, deleted: "1" };
    const [id] = await addRows(service, "core/workflows", [former]);
    const back = await service.post(`/core/workflows/restore.json?id=${id}`, {}, admin);
    expect([back.status, back.body.errors.join()]).toEqual([409, expect.stringMatching(/Leads already/)]);
  });

  test("is the only active one of its record type, also of several that are saved at once", async () => {
    const definition = { stages, transitions: [shut] };
    const names = ["One", "Two", "Three", "Four"];
    const made = await Promise.all(names.map((name) => saveWorkflow({ name, controller: "crm/peoples", definition })));
    const saved = made.filter(({ body }) => body.errors.length === 0);
    for (const { body } of saved) await saveWorkflow({ id: body.id, is_active: "0" }, "edit");
    expect(made.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
  });

  test("leaves records on their way to the version that they started with", async () => {
    const definition = { stages, transitions: [shut] };
    const made = await saveWorkflow({ name: "Companies", controller: "crm/companies", definition });
    expect(made.body.errors).toEqual([]);
    const old = await add("crm/companies", { name: "Old" });
    const [first] = stages;
    const next = {
      stages: [
        first,
        { key: "check", name: "Check", actors: ["role:sales_manager"] },
        { key: "gone", name: "Gone", kind: "end" },
      ],
      transitions: [
        { name: "ask", label: "Ask", from: "open", to: "check" },
        { name: "go", label: "Go", from: "check", to: "gone" },
      ],
    };
    const changed = await saveWorkflow({ id: made.body.id, definition: next }, "edit");
    expect(changed.body.errors).toEqual([]);
    expect(changed.body.data.workflows.version).toBe("2");
    const young = await add("crm/companies", { name: "Young" });
    expect(await offered("crm/companies", old, rep.token)).toEqual(["shut"]);
    expect(await offered("crm/companies", young, rep.token)).toEqual(["ask"]);
    expect((await take("crm/companies", old, "ask")).status).toBe(422);
    expect((await take("crm/companies", old, "shut")).body.workflow).toMatchObject({
      __stage: "Shut",
      version: "1",
    });
    expect((await take("crm/companies", young, "ask")).body.workflow).toMatchObject({
      __stage: "Check",
      version: "2",
    });
    // Both are in the same list, by stages that are the same where they were the same.
    expect((await view("crm/companies", old)).data.companies.__current_stage).toBe("Shut");
    await saveWorkflow({ id: made.body.id, is_active: "0" }, "edit");
    const free = await add("crm/companies", { name: "Free" });
    expect((await view("crm/companies", free)).workflow).toBeUndefined();
    expect((await take("crm/companies", young, "go", {}, manager.token)).status).toBe(200);
  });

  test("names no record of another organization, whatever its effects set", async () => {
    const strangers = await addOrganization(service, "strangers");
    const [foreign = ""] = await addRows(
      service,
      "crm/types",
      [{ name: "Theirs", applies_to: "leads" }],
      strangers.organizationId,
    );
    const setting = { ...shut, effects: [{ set: { type_id: `"${foreign}"` } }] };
    const definition = JSON.stringify({ stages, transitions: [setting] });
    expect((await saveWorkflow({ name: "Subs", controller: "crm/sub_types", definition })).body.errors).toEqual([]);
    const type_id = await add("crm/types", { name: "Ours", applies_to: "leads" }, admin);
    const id = await add("crm/sub_types", { name: "Sub", type_id }, admin);
    const refused = await take("crm/sub_types", id, "shut", {}, admin);
    expect([refused.status, refused.body.errors_by_field]).toEqual([
      422,
      { "sub_types.type_id": ["Type does not exist"] },
    ]);
    expect((await view("crm/sub_types", id)).data.sub_types).toMatchObject({ type_id, __current_stage: "Open" });
    // Nor does whoever makes the record theirs along with the step take it as its owner.
    const second = await addPerson(service, "second.admin", ["administrator"]);
    const grabbed = await take("crm/sub_types", id, "shut", { owned_by: second.id }, second.token);
    expect(grabbed.body.error_code).toBe("transition_forbidden");
  });

  test("has its records brought to its newest version by administrators, stage by stage", async () => {
    const [open] = stages;
    const definition = {
      stages: [open, { key: "check", name: "Check", actors: ["role:sales_manager"] }, stages[1]],
      transitions: [
        { name: "ask", label: "Ask", from: "open", to: "check" },
        { name: "agree", label: "Agree", from: "check", to: "shut" },
      ],
    };
    const { id } = (await saveWorkflow({ name: "People", controller: "crm/peoples", definition })).body;
    const [waiting, checked] = [
      await add("crm/peoples", { last_name: "Waiting" }),
      await add("crm/peoples", { last_name: "Checked" }),
    ];
    await take("crm/peoples", checked, "ask");
    const next = {
      stages: [open, { key: "audit", name: "Audit", actors: ["owner"] }, stages[1]],
      transitions: [
        { name: "hand_in", label: "Hand in", from: "open", to: "audit" },
        { name: "pass", label: "Pass", from: "audit", to: "shut" },
      ],
    };
    await saveWorkflow({ id, definition: next }, "edit");
    const move = (body: Values, token = admin) =>
      service.post(`/core/workflows/move_records.json?id=${id}`, body, token);
    expect((await move({ is_confirm: "1" }, manager.token)).status).toBe(403);
    const asked = await move({});
    expect([asked.status, asked.body.data.moving]).toEqual([
      409,
      [
        { version: "1", stage: "open", __stage: "Open", count: 1, to: "open", __to: "Open" },
        { version: "1", stage: "check", __stage: "Check", count: 1, to: null, __to: null },
      ],
    ]);
    const older = (token = admin) => service.get(`/core/workflows/older_records.json?id=${id}`, token);
    expect((await older(manager.token)).status).toBe(403);
    expect((await older()).body.data).toEqual({
      controller: "crm/peoples",
      version: "2",
      stages: [
        { key: "open", name: "Open" },
        { key: "audit", name: "Audit" },
        { key: "shut", name: "Shut" },
      ],
      moving: asked.body.data.moving,
    });
    const unnamed = await move({ is_confirm: "1" });
    expect([unnamed.status, Object.keys(unnamed.body.errors_by_field)]).toEqual([422, ["workflows.stages.check"]]);
    expect(unnamed.body.errors).toContain("Check is not in version 2. Choose a stage for 1 record");
    expect((await move({ is_confirm: "1", stages: { check: "nowhere" } })).status).toBe(400);
    const unknown = await move({ is_confirm: "1", stages: { check: "audit", nowhere: "open" } });
    expect([unknown.status, unknown.body.errors]).toEqual([
      400,
      ["stages[nowhere]: there is no such stage in this workflow"],
    ]);
    // Nobody has confirmed a version that was saved meanwhile.
    const outdated = await move({ is_confirm: "1", version: "1", stages: { check: "audit" } });
    expect([outdated.status, outdated.body.error_code, outdated.body.errors]).toEqual([
      409,
      "newer_version",
      ["Version 2 of this workflow has been saved meanwhile. Nothing was moved. Check the stages, then confirm again"],
    ]);
    expect((await view("crm/peoples", checked)).workflow).toMatchObject({ version: "1", __stage: "Check" });

    // The last record of a stage may have left it since somebody looked.
    const moved = await move({
      is_confirm: "1",
      version: "2",
      stages: { check: "audit", shut: "open", audit: "open" },
    });
    expect([moved.status, moved.body.message]).toEqual([200, ["2 people moved"]]);
    expect(await view("crm/peoples", checked)).toMatchObject({
      workflow: { version: "2", __stage: "Audit", actors: ["rep"] },
      data: { peoples: { revision: "3" } },
    });
    expect(await offered("crm/peoples", checked, rep.token)).toEqual(["pass"]);
    expect(await offered("crm/peoples", waiting, rep.token)).toEqual(["hand_in"]);
    expect((await log("crm/peoples", checked)).at(-1)).toMatchObject({
      step: "start",
      label: "Version 2",
      __from: "Check",
      __to: "Audit",
      __created_by: "Administrator",
    });
    const events = await service.get(
      `/access_controls/audit_events/index.json?q=${encodeURIComponent(JSON.stringify({ fields: ["*"], where: { subject_name: "Move 2 people" } }))}`,
      admin,
    );
    expect(events.body.paginate.total_count).toBe(1);
    expect((await move({ is_confirm: "1" })).body.message).toEqual(["0 people moved"]);
    expect((await older()).body.data.moving).toEqual([]);
    await saveWorkflow({ id, is_active: "0" }, "edit");
  });

  test("takes a record that was there before along with its next save", async () => {
    const { body: type } = await service.post(
      "/metadata/record_types/save.json",
      {
        definition: JSON.stringify({
          module: "lab",
          controller: "samples",
          label: "Sample",
          plural: "Samples",
          displayField: "name",
          fields: [
            { name: "name", type: "short-text" },
            { name: "checker_id", type: "reference", settings: { to: "access_controls/users" } },
          ],
          access: { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: [] },
        }),
      },
      admin,
    );
    expect(type.errors).toEqual([]);
    const sample = await add("lab/samples", { name: "S", checker_id: other.id }, admin);
    const definition = {
      stages: [
        { key: "open", name: "Open", kind: "start", actors: ["field:checker_id"], grants: ["edit", "delete"] },
        stages[1],
      ],
      transitions: [shut],
    };
    expect((await saveWorkflow({ name: "S", controller: "lab/samples", definition })).body.errors).toEqual([]);
    expect((await view("lab/samples", sample)).workflow).toMatchObject({ __stage: "Open", since: null });
    await post("lab/samples", "edit", { id: sample, name: "S2" }, SAVE, admin);
    expect((await log("lab/samples", sample)).map(({ step }: { step: string }) => step)).toEqual(["start"]);
    const acl = async () =>
      service.db.row(sql`
        select array_to_string(s._acl_tmp_edit, ' ') as edit, array_to_string(s._acl_tmp_delete, ' ') as delete,
          array_to_string(s.actors, ' ') as actors
        from lab__samples r join core__acl_sets s on s.organization_id = r.organization_id and s.id = r.acl_id`);
    const principal = async (user: string) =>
      (
        await service.db.row(
          sql`select principal_id::text as id from access_controls__users where id = ${user}::bigint`,
        )
      )?.id;
    const one = await principal(other.id);
    expect(await acl()).toEqual({ edit: one, delete: one, actors: one });
    // The field names somebody else: so do the grants.
    await post("lab/samples", "edit", { id: sample, checker_id: rep.id }, SAVE, admin);
    const two = await principal(rep.id);
    expect(await acl()).toEqual({ edit: two, delete: two, actors: two });
    // Whoever names themselves along with the action is not asked yet, and is not told that they were.
    const me = (await service.db.row(sql`select id::text from access_controls__users where user_name = 'admin'`))?.id;
    const refused = await post("lab/samples", "edit", { id: sample, checker_id: me }, { shut: "Shut" }, admin);
    expect(refused.body).toMatchObject({ error_code: "transition_forbidden" });
    expect(refused.body.errors[0]).toMatch(/Available to you: none$/);
  });
});
