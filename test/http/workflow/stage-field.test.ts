// The field that is a record's stage, on the wire: changing it takes the transition that leads there, or is refused with the
// reason, whichever way it is written.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { readSnapshot } from "../../../server/metadata/store.ts";
import { builtInTypes } from "../../../server/modules/index.ts";
import { adoptStageFields } from "../../../server/seed/adopt-stage-fields.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let other: Person;
let manager: Person;

type Values = Record<string, unknown>;
const SAVE = { save_progress: "Save" };
const LEADS = "crm/leads";
const DEALS = "crm/opportunities";
const PEOPLE = "crm/peoples";
const aliasOf = (type: string): string => type.split("/")[1] ?? "";

const save = (type: string, operation: string, values: Values, token = rep.token, action: Values = SAVE) =>
  service.post(`/${type}/${operation}.json`, { data: { [aliasOf(type)]: values, action } }, token);
const edit = (type: string, id: string, values: Values, token = rep.token) =>
  save(type, "edit", { id, ...values }, token);
const add = async (type: string, values: Values, token = rep.token): Promise<string> => {
  const { body } = await save(type, "add", values, token);
  if (typeof body.id !== "string") throw new Error(JSON.stringify(body));
  return body.id;
};
const bulk = (type: string, operation: string, body: Values, token = rep.token) =>
  service.post(`/${type}/${operation}.json`, body, token);
const view = async (type: string, id: string) => (await service.get(`/${type}/view.json?id=${id}`, admin)).body;
const log = async (type: string, id: string) =>
  (await service.get(`/${type}/stage_log.json?id=${id}`, admin)).body.data.stage_log;
/** `<option> / <stage>`. */
const where = async (type: string, id: string, field: string): Promise<string> => {
  const { data, workflow } = await view(type, id);
  return `${data[aliasOf(type)][field]} / ${workflow.__stage}`;
};

/** People: cold, then submitted as warm by the owner, then approved as hot by a sales manager. */
const approvals = {
  stage_field: "rating",
  stages: [
    { key: "cold", name: "Cold", kind: "start", value: "cold", actors: ["owner"] },
    { key: "warm", name: "Warm", value: "warm", actors: ["role:sales_manager"], grants: ["read", "edit"] },
    { key: "hot", name: "Hot", kind: "end", value: "hot" },
  ],
  transitions: [
    { name: "submit", label: "Submit", from: "cold", to: "warm", by: ["owner"], condition: "job_title is not empty" },
    { name: "approve", label: "Approve", from: "warm", to: "hot", kind: "approve" },
    { name: "reject", label: "Reject", from: "warm", to: "cold", kind: "reject" },
  ],
};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  other = await addPerson(service, "other", ["sales_rep"]);
  manager = await addPerson(service, "manager", ["sales_manager"]);
  const workflow = { name: "Ratings", controller: PEOPLE, definition: JSON.stringify(approvals) };
  expect((await save("core/workflows", "add", workflow, admin)).body.errors).toEqual([]);
});
afterAll(() => service.stop());

describe("changing it takes the transition", () => {
  test("by a form: with its effects, its log entry and what the stage lends", async () => {
    const id = await add(LEADS, { last_name: "Form" });
    const answer = await edit(LEADS, id, { status: "contacted", city: "Ulm", stage_log: { comment: "By phone" } });
    expect(answer.body.errors).toEqual([]);
    expect(answer.body.data.leads).toMatchObject({ status: "contacted", city: "Ulm" });
    expect(answer.body.data.leads.last_contacted).not.toBeNull();
    expect((await log(LEADS, id)).at(-1)).toMatchObject({
      step: "move",
      action: "contact",
      __from: "New",
      __to: "Contacted",
      comment: "By phone",
    });
  });

  const ways: readonly [string, (id: string) => Promise<Answer>][] = [
    ["a form by its label", (id) => edit(LEADS, id, { status: "Qualified" })],
    [
      "brackets",
      (id) =>
        service.post(
          `/${LEADS}/edit.json`,
          new URLSearchParams({
            "data[leads][id]": id,
            "data[leads][status]": "qualified",
            "data[action][save_progress]": "Save",
          }),
          rep.token,
        ),
    ],
    [
      "JSON-RPC",
      (id) =>
        service.post(
          `/${LEADS}/edit.json`,
          {
            jsonrpc: "2.0",
            id: 1,
            method: "crm.leads.edit",
            params: { action: SAVE, data: { leads: { id, status: "qualified" } } },
          },
          rep.token,
        ),
    ],
    ["edit_selected", (id) => bulk(LEADS, "edit_selected", { ids: [id], data: { leads: { status: "qualified" } } })],
    ["edit_many", (id) => bulk(LEADS, "edit_many", { data: { leads: [{ id, status: "qualified" }] } })],
    [
      "the transition, with the field sent along",
      (id) => save(LEADS, "edit", { id, status: "qualified" }, rep.token, { qualify: "Qualify" }),
    ],
    [
      "the transition, with the field as it was",
      (id) => save(LEADS, "edit", { id, status: "new" }, rep.token, { qualify: "Qualify" }),
    ],
  ];
  test.each(ways)("by %s", async (_, write) => {
    const id = await add(LEADS, { last_name: "Way" });
    const answer = await write(id);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(await where(LEADS, id, "status")).toBe("qualified / Qualified");
    expect(await log(LEADS, id)).toHaveLength(2);
  });

  test("a conversion makes its records, whoever writes Converted into the field", async () => {
    const id = await add(LEADS, { last_name: "Made", company_name: "Makers" });
    await edit(LEADS, id, { status: "qualified" });
    const { body } = await edit(LEADS, id, { status: "converted" });
    expect(body.data.leads).toMatchObject({ __current_stage: "Converted", __converted_company_id: "Makers" });
  });

  test("the field goes where a transition goes", async () => {
    const id = await add(LEADS, { last_name: "Follows" });
    await save(LEADS, "edit", { id, lost_reason: "price" }, rep.token, { give_up: "Give up" });
    expect(await where(LEADS, id, "status")).toBe("unqualified / Unqualified");
  });

  test("what stays as it is takes none, and other fields of many records go as before", async () => {
    const id = await add(LEADS, { last_name: "Same" });
    await edit(LEADS, id, { status: "new", city: "Ulm" });
    await bulk(LEADS, "edit_selected", { ids: [id], data: { leads: { city: "Bonn" } } });
    expect(await where(LEADS, id, "status")).toBe("new / New");
    expect(await log(LEADS, id)).toHaveLength(1);
  });

  test("an approval by an approver who may edit", async () => {
    const id = await add(PEOPLE, { last_name: "Voted", job_title: "Chief" });
    expect((await edit(PEOPLE, id, { rating: "warm" })).status).toBe(200);
    expect((await edit(PEOPLE, id, { rating: "hot" }, manager.token)).body.errors).toEqual([]);
    expect((await log(PEOPLE, id)).at(-1)).toMatchObject({ kind: "approve", __created_by: "manager" });
  });
});

describe("what is not possible is refused with the reason, and nothing of it is written", () => {
  const refusals: readonly [string, string, Values, Values, () => string, string, RegExp][] = [
    [
      "no transition leads there",
      LEADS,
      {},
      { status: "converted" },
      () => rep.token,
      "leads.status",
      /Status can't change from New to Converted\. Available now: Contacted \(Mark as contacted\), Qualified \(Qualify\), Unqualified \(Disqualify\)/,
    ],
    [
      "a required field is empty",
      LEADS,
      {},
      { status: "unqualified" },
      () => rep.token,
      "leads.lost_reason",
      /is required to Disqualify/,
    ],
    [
      "another person's turn",
      PEOPLE,
      { job_title: "Chief" },
      { rating: "warm" },
      () => admin,
      "peoples.rating",
      /Submit is waiting for rep/,
    ],
    [
      "the condition is not met",
      PEOPLE,
      {},
      { rating: "warm" },
      () => rep.token,
      "peoples.rating",
      /Submit requires job_title is not empty/,
    ],
    [
      "an approval that was never asked for",
      PEOPLE,
      {},
      { rating: "hot" },
      () => rep.token,
      "peoples.rating",
      /can't change from Cold to Hot/,
    ],
    ["emptied", PEOPLE, {}, { rating: null }, () => rep.token, "peoples.rating", /can't change from Cold to empty/],
  ];
  test.each(refusals)("%s", async (_, type, made, values, token, field, words) => {
    const id = await add(type, { last_name: "Refused", ...made });
    const before = (await view(type, id)).data[aliasOf(type)];
    const answer = await edit(type, id, { ...values, description: "typed" }, token());
    expect(answer.status, JSON.stringify(answer.body.errors)).toBe(422);
    expect(answer.body.errors_by_field[field]?.[0]).toMatch(words);
    expect(answer.body.data[aliasOf(type)]).toMatchObject({ description: "typed" });
    const many = await bulk(type, "edit_selected", { ids: [id], data: { [aliasOf(type)]: values } }, token());
    expect(many.body.errors.join(" ")).toMatch(words);
    expect((await view(type, id)).data[aliasOf(type)]).toEqual(before);
  });
  test("a transition beside a field that says something else", async () => {
    const id = await add(LEADS, { last_name: "Two" });
    const { status, body } = await save(LEADS, "edit", { id, status: "contacted" }, rep.token, { qualify: "Qualify" });
    expect(status).toBe(422);
    expect(body.errors_by_field["leads.status"]).toEqual(["Qualify changes Status to Qualified, not to Contacted"]);
  });

  test("of many records, each has its own answer", async () => {
    const [a, b] = [await add(LEADS, { last_name: "One" }), await add(LEADS, { last_name: "Two" })];
    await edit(LEADS, a, { status: "qualified", company_name: "C" });
    const { body } = await bulk(LEADS, "edit_selected", { ids: [a, b], data: { leads: { status: "converted" } } });
    expect(body.data.changed).toEqual([a]);
    expect(body.data.failed[b]).toEqual([expect.stringContaining("can't change from New to Converted")]);
  });
});

describe("a new record", () => {
  test("starts where its author could have brought it, with what was sent along and one log entry", async () => {
    const company = await add("crm/companies", { name: "Won from" });
    const id = await add(DEALS, { name: "History", company_id: company, stage: "won", closed: "2024-05-01 10:00:00" });
    const deal = (await view(DEALS, id)).data.opportunities;
    expect(deal).toMatchObject({
      stage: "won",
      __current_stage: "Won",
      probability: "100",
      closed: "2024-05-01 10:00:00",
    });
    expect(await log(DEALS, id)).toMatchObject([{ step: "start", __to: "Won" }]);
  });

  test("of many each, and nothing is made along", async () => {
    const count = async () => (await service.db.row(sql`select count(*)::text as n from crm__companies`))?.n;
    const before = await count();
    const leads = ["new", "contacted", "qualified", "converted", "unqualified"].map((status) => ({
      last_name: status,
      status,
    }));
    const { body } = await bulk(LEADS, "add_many", { data: { leads } });
    const stages = await Promise.all(body.data.leads.map(({ id }: { id: string }) => where(LEADS, id, "status")));
    expect(stages).toEqual([
      "new / New",
      "contacted / Contacted",
      "qualified / Qualified",
      "converted / Converted",
      "unqualified / Unqualified",
    ]);
    expect(await count()).toBe(before);
  });

  test("never starts behind an approval or a condition that does not hold", async () => {
    const refused = await save(PEOPLE, "add", { last_name: "Sneaky", job_title: "Chief", rating: "hot" });
    expect(refused.status).toBe(422);
    expect(refused.body.errors_by_field["peoples.rating"]).toEqual([
      "A new person can't start with Rating Hot. It can start with: Cold, Warm",
    ]);
    expect((await save(PEOPLE, "add", { last_name: "Bare", rating: "warm" })).status).toBe(422);
    expect(
      (await bulk(PEOPLE, "add_many", { data: { peoples: [{ last_name: "Many", rating: "hot" }] } }, manager.token))
        .status,
    ).toBe(422);
    // Not even for somebody who could give the approval.
    const own = await save(PEOPLE, "add", { last_name: "Own", job_title: "Chief", rating: "hot" }, manager.token);
    expect(own.status).toBe(422);
    expect(
      await where(PEOPLE, await add(PEOPLE, { last_name: "Fine", job_title: "Chief", rating: "warm" }), "rating"),
    ).toBe("warm / Warm");
  });
});

describe("going back", () => {
  test("takes a transition where one leads back, and otherwise leaves the stage and says so", async () => {
    const id = await add(LEADS, { last_name: "First" });
    await edit(LEADS, id, { last_name: "Second", status: "contacted" });
    const back = await service.post(`/${LEADS}/revert.json?id=${id}&revision=1`, {}, rep.token);
    expect(back.body.message).toEqual(["Lead restored to revision 1"]);
    expect(await where(LEADS, id, "status")).toBe("new / New");
    await edit(LEADS, id, { last_name: "Third", status: "unqualified", lost_reason: "price" });
    const stays = await service.post(`/${LEADS}/revert.json?id=${id}&revision=1`, {}, rep.token);
    expect(stays.body.message[0]).toMatch(/its stage wasn't changed: Status can't change from Unqualified to New/);
    expect(stays.body.data.leads).toMatchObject({ last_name: "First", lost_reason: null, status: "unqualified" });
  });

  test("of a bulk edit takes the transitions back, or tells why not", async () => {
    const ids = [await add(LEADS, { last_name: "U1" }), await add(LEADS, { last_name: "U2" })];
    const [one, two] = ids as [string, string];
    const done = await bulk(LEADS, "edit_selected", { ids, data: { leads: { status: "contacted" } } });
    await edit(LEADS, two, { status: "unqualified", lost_reason: "price" });
    const undone = await service.post(`/core/jobs/undo.json?id=${done.body.job_id}`, {}, rep.token);
    expect(undone.body.data.left_alone).toEqual({ [two]: ["status"] });
    expect(await where(LEADS, one, "status")).toBe("new / New");
    expect(await where(LEADS, two, "status")).toBe("unqualified / Unqualified");
    const lost = await bulk(LEADS, "edit_selected", {
      ids: [one],
      data: { leads: { status: "unqualified", lost_reason: "price" } },
    });
    // No transition leads back from there: the step itself is undone, with what it asked for.
    const back = await service.post(`/core/jobs/undo.json?id=${lost.body.job_id}`, {}, rep.token);
    expect([back.body.data.changed, back.body.data.failed]).toEqual([[one], {}]);
    expect(await where(LEADS, one, "status")).toBe("new / New");
    expect((await service.get(`/${LEADS}/view.json?id=${one}`, rep.token)).body.data.leads.lost_reason).toBeNull();
  });

  test("of a job whose step made what somebody has worked on since leaves all of it", async () => {
    const id = await add(LEADS, { last_name: "Worked on", company_name: "Worked on", status: "qualified" });
    const done = await bulk(LEADS, "edit_selected", { ids: [id], data: { leads: { status: "converted" } } });
    const { converted_company_id: company, converted_opportunity_id: deal } = (await view(LEADS, id)).data.leads;
    expect((await edit("crm/companies", company, { description: "Mine" })).body.errors).toEqual([]);
    const back = await service.post(`/core/jobs/undo.json?id=${done.body.job_id}`, {}, rep.token);
    const why = expect.arrayContaining([expect.stringContaining("Status can't change from Converted")]);
    expect(back.body.data).toMatchObject({ changed: [], failed: { [id]: why } });
    expect(await where(LEADS, id, "status")).toBe("converted / Converted");
    expect((await view(DEALS, deal)).data.opportunities.deleted).toBe("0");
  });

  test.each([
    ["two steps", [{ status: "contacted" }, { status: "unqualified", lost_reason: "price" }]],
    ["a step and another change", [{ status: "unqualified", lost_reason: "price" }, { city: "Ulm" }]],
  ])("of a job that took %s of one record goes back whole or not at all", async (name, changes) => {
    const id = await add(LEADS, { last_name: name });
    const sent = await fetch(`${service.url}/${LEADS}/edit_many.json?key=last_name`, {
      method: "POST",
      headers: { authorization: `Bearer ${admin}`, "content-type": "application/x-ndjson" },
      body: changes.map((change) => JSON.stringify({ last_name: name, ...change })).join("\n"),
    });
    const told = (await sent.text()).trim().split("\n");
    const { job_id: job } = JSON.parse(told.at(-1) ?? "");
    expect(await where(LEADS, id, "status"), told.join()).toBe("unqualified / Unqualified");
    const kept = await service.post(`/core/jobs/undo.json?id=${job}`, {}, admin);
    expect(kept.body.data.failed[id]).toEqual([expect.stringContaining("Status can't change from Unqualified")]);
    expect(await where(LEADS, id, "status")).toBe("unqualified / Unqualified");
  });
});

describe("a definition", () => {
  const stage = (key: string, more: Values) => ({ key, name: key, ...more });
  const twoStages = (a: Values, b: Values, more: Values = {}) => ({
    stage_field: "rating",
    stages: [stage("a", { kind: "start", ...a }), stage("b", { kind: "end", ...b })],
    transitions: [{ name: "go", label: "Go", from: "a", to: "b" }],
    ...more,
  });
  const cases: readonly [string, Values, RegExp][] = [
    [
      "no such field",
      twoStages({ value: "hot" }, { value: "cold" }, { stage_field: "mood" }),
      /stage_field: mood is not a choice field/,
    ],
    [
      "a field of another kind",
      twoStages({ value: "hot" }, { value: "cold" }, { stage_field: "last_name" }),
      /stage_field: last_name is not a choice/,
    ],
    ["a stage without an option", twoStages({ value: "hot" }, {}), /stages\.b\.value: choose the option of Rating/],
    [
      "an option that is none",
      twoStages({ value: "hot" }, { value: "boiling" }),
      /stages\.b\.value: Rating has no option boiling/,
    ],
    [
      "a value without a field",
      { ...twoStages({ value: "hot" }, { value: "cold" }), stage_field: undefined },
      /stages\.a\.value: name the field/,
    ],
    [
      "an effect that sets it",
      twoStages({ value: "hot" }, { value: "cold", enter: [{ set: { rating: '"hot"' } }] }),
      /Rating is set by the stage itself/,
    ],
  ];
  test.each(cases)("is refused with %s", async (_, definition, words) => {
    const { status, body } = await save(
      "core/workflows",
      "add",
      { name: "X", controller: PEOPLE, is_active: "0", definition: JSON.stringify(definition) },
      admin,
    );
    expect(status).toBe(422);
    expect(body.errors.join(" ")).toMatch(words);
  });

  test("says which of several transitions to the same option were meant, where each needs something", async () => {
    const definition = {
      ...approvals,
      stages: [
        stage("a", { kind: "start", value: "cold" }),
        stage("b", { kind: "end", value: "hot" }),
        stage("c", { kind: "end", value: "hot" }),
      ],
      transitions: [
        { name: "left", label: "Left", from: "a", to: "b", required: ["job_title"] },
        { name: "right", label: "Right", from: "a", to: "c", reason: "required" },
      ],
    };
    const found = await service.get(
      `/core/workflows/index.json?q=${encodeURIComponent(JSON.stringify({ fields: ["workflows.id"], where: { "workflows.controller": PEOPLE } }))}`,
      admin,
    );
    const workflow = found.body.paginate.data[0]["workflows.id"];
    expect(
      (await save("core/workflows", "edit", { id: workflow, definition: JSON.stringify(definition) }, admin)).body
        .errors,
    ).toEqual([]);
    const id = await add(PEOPLE, { last_name: "Which" });
    const unclear = await edit(PEOPLE, id, { rating: "hot" });
    expect(unclear.body.errors_by_field["peoples.rating"][0]).toMatch(
      /in several ways\. .*Left \(Job title\), Right \(a reason\)/,
    );
    await edit(PEOPLE, id, { rating: "hot", stage_log: { comment: "So" } });
    expect(await where(PEOPLE, id, "rating")).toBe("hot / c");
  });
});

test("databases from before are brought together once, and what they said stays in the history", async () => {
  const old = {
    stages: [
      { key: "new", name: "New", kind: "start", enter: [{ set: { status: '"new"' } }] },
      { key: "contacted", name: "Contacted", enter: [{ set: { status: '"contacted"', city: '"Ulm"' } }] },
      { key: "converted", name: "Converted", kind: "end", enter: [{ set: { status: '"converted"' } }] },
      { key: "lost", name: "Lost", kind: "end", enter: [{ set: { status: '"unqualified"' } }] },
    ],
    transitions: [
      { name: "contact", label: "Contact", from: "new", to: "contacted" },
      { name: "convert", label: "Convert", from: "new", to: "converted", condition: "score < 10" },
      { name: "lose", label: "Lose", from: "contacted", to: "lost" },
    ],
  };
  const ahead = await add(LEADS, { last_name: "Ahead" });
  const behind = await add(LEADS, { last_name: "Behind", status: "unqualified" });
  const strange = await add(LEADS, { last_name: "Strange" });
  const fine = await add(LEADS, { last_name: "Fine", status: "contacted" });
  const held = await add(LEADS, { last_name: "Held" });
  const [waiting = ""] = await addRows(service, LEADS, [
    { last_name: "Waits", name: "Waits", status: "contacted", owned_by: rep.id },
  ]);
  await service.db.run(sql`update core__workflow_versions set definition = ${JSON.stringify(old)}::jsonb
    where workflow_id = (select id from core__workflows where controller = 'crm/leads' and organization_id = 1)`);
  await service.db.run(sql`update crm__leads set status = 'unqualified' where id = ${ahead}::bigint`);
  await service.db.run(sql`update crm__leads set status = 'new' where id = ${behind}::bigint`);
  await service.db.run(sql`update crm__leads set status = 'qualified' where id = ${strange}::bigint`);
  // A condition is in the way: its field is not believed.
  await service.db.run(sql`update crm__leads set status = 'converted' where id = ${held}::bigint`);
  await service.db.run(sql`delete from metadata__synced_tables where table_name = 'stage fields'`);
  const read = () => readSnapshot(service.db, builtInTypes);
  expect(await adoptStageFields(service.db, read)).toBe(4);
  expect(await adoptStageFields(service.db, read)).toBe(0);
  const rows = await service.db.rows(sql`
    select l.last_name, l.status, n.key from crm__leads l left join core__workflow_nodes n on n.organization_id = l.organization_id and n.id = l.current_stage
    where l.organization_id = 1 and l.id = any(${[ahead, behind, strange, fine, held, waiting]}::bigint[]) order by l.last_name`);
  expect(rows).toEqual([
    { last_name: "Ahead", status: "unqualified", key: "lost" },
    { last_name: "Behind", status: "unqualified", key: "lost" },
    { last_name: "Fine", status: "contacted", key: "contacted" },
    { last_name: "Held", status: "new", key: "new" },
    { last_name: "Strange", status: "new", key: "new" },
    { last_name: "Waits", status: "contacted", key: null },
  ]);
  const history = await service.get(`/${LEADS}/revisions.json?id=${strange}`, admin);
  expect(history.body.data.revisions[0].changes).toContainEqual(
    expect.objectContaining({ field: "status", from: "qualified", to: "new" }),
  );
  expect((await log(LEADS, ahead)).at(-1)).toMatchObject({ step: "start", label: "Reconciled", __to: "Unqualified" });
  // What is in no stage yet begins where its field says.
  expect((await edit(LEADS, waiting, { city: "Bonn" }, admin)).status).toBe(200);
  expect((await log(LEADS, waiting))[0]).toMatchObject({ step: "start", __to: "Contacted" });
  expect((await edit(LEADS, fine, { status: "new" }, other.token)).status).toBe(404);
});
