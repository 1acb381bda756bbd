// The timeline of a record on the wire: one stream of comments, changes, stages and files, in pages, and nothing in it that its
// sources would not tell the same caller.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ident, sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows, type Person } from "../people.ts";

type Values = Record<string, unknown>;
const SAVE = { save_progress: "Save" };
interface Entry {
  readonly kind: string;
  readonly id: string;
  readonly at: string;
  readonly [name: string]: unknown;
}

let service: TestService;
let admin: string;
let rep: Person;
let lead: string;
let root: string;

const save = (type: string, operation: string, values: Values, token = rep.token, action: Values = SAVE) =>
  service.post(`/${type}/${operation}.json`, { data: { [type.split("/")[1] ?? ""]: values, action } }, token);
const add = async (type: string, values: Values, token = rep.token): Promise<string> => {
  const { body } = await save(type, "add", values, token);
  expect(body.errors).toEqual([]);
  return body.id;
};
const comment = (body: string, parent: string | null = null, token = rep.token, id = lead) =>
  add("core/comments", { related_type: "crm/leads", related_id: id, body, parent_id: parent }, token);
const ask = (query = "", token = rep.token, id = lead) =>
  service.get(`/crm/leads/timeline.json?id=${id}${query}`, token);
const read = async (query = "", token = rep.token, id = lead): Promise<Entry[]> => {
  const { status, body } = await ask(query, token, id);
  expect([status, body.errors]).toEqual([200, []]);
  return body.data.timeline;
};
const hide = async (code: string, more: Values): Promise<void> => {
  const role = await service.db.row(
    sql`select id::text as id from access_controls__roles where organization_id = 1 and code = ${code}`,
  );
  expect((await save("access_controls/roles", "edit", { id: role?.id, ...more }, admin)).body.errors).toEqual([]);
};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  lead = await add("crm/leads", { last_name: "Stream", score: "7", city: "Ulm" });
  root = await comment("First words");
  expect((await save("crm/leads", "edit", { id: lead, score: "42" })).body.errors).toEqual([]);
  const moved = { id: lead, stage_log: { comment: "A good one" } };
  expect((await save("crm/leads", "edit", moved, rep.token, { qualify: "Qualify" })).body.errors).toEqual([]);
  const form = new FormData();
  const attached = { related_type: "crm/leads", related_id: lead, name: "Offer.txt" };
  for (const [name, value] of Object.entries(attached)) form.set(`data[attachments][${name}]`, value);
  form.set("data[attachments][file]", new Blob(["offer"], { type: "text/plain" }), "offer.txt");
  form.set("data[action][save_progress]", "Save");
  expect((await service.post("/core/attachments/add.json", form, rep.token)).body.errors).toEqual([]);
  await comment("An answer", root, admin);
  // One thing a second, in this order; the answer is the newest of all.
  const at = (seconds: number) => sql`timestamp '2026-03-04 10:00:00' + ${seconds}::integer * interval '1 second'`;
  await service.db.run(sql`update core__revisions set created = ${at(0)} + number * interval '10 seconds'
    where related_type = 'crm/leads' and related_id = ${lead}`);
  await service.db.run(
    sql`update core__stage_log set created = ${at(10)} where related_id = ${lead} and step = 'start'`,
  );
  await service.db.run(sql`update core__attachments set created = ${at(100)} where related_id = ${lead}`);
  await service.db.run(sql`update core__comments set created = ${at(15)} where id = ${root}::bigint`);
  await service.db.run(sql`update core__comments set created = ${at(200)} where parent_id = ${root}::bigint`);
});
afterAll(() => service.stop());

describe("the timeline", () => {
  test("is one stream, newest first: a thread at its newest comment, a move with the change that it made", async () => {
    const entries = await read();
    expect(entries).toMatchObject([
      {
        kind: "comment",
        id: root,
        at: "2026-03-04 10:03:20",
        comment: { body: "First words", created_by: rep.id, __created_by: "rep", is_deletable: 1 },
        answers: [{ body: "An answer", __created_by: "Administrator", is_deletable: 0 }],
        answer_count: 1,
      },
      {
        kind: "file",
        name: "Offer.txt",
        file: { name: "offer.txt", type: "text/plain", size: "5" },
        __created_by: "rep",
      },
      {
        kind: "change",
        revision: "3",
        step: { step: "move", label: "Qualify", __from: "New", __to: "Qualified", comment: "A good one" },
      },
      { kind: "change", revision: "2", step: null, changes: [{ field: "score", __from: "7", __to: "42" }] },
      { kind: "change", revision: "1", operation: "add", step: { step: "start", __to: "New" } },
    ]);
    expect(entries).toHaveLength(5);
  });

  test("is of the kinds that are asked for", async () => {
    const kindsOf = async (kinds: string) => (await read(`&kinds=${kinds}`)).map(({ kind }) => kind);
    expect(await kindsOf("comment;file")).toEqual(["comment", "file"]);
    expect(await kindsOf("stage")).toEqual(["stage", "stage"]);
    expect(await kindsOf("change")).toEqual(["change", "change", "change"]);
    expect((await read("&kinds=change")).every(({ step }) => step === null)).toBe(true);
  });

  test("comes in pages that are together the whole, whatever their size and however much is of one second", async () => {
    const busy = await add("crm/leads", { last_name: "Busy" });
    for (const body of ["a", "b", "c"]) await comment(body, null, rep.token, busy);
    for (const score of ["1", "2", "3", "4"]) await save("crm/leads", "edit", { id: busy, score });
    for (const table of ["core__revisions", "core__comments"])
      await service.db.run(sql`update ${ident(table)} set created = timestamp '2026-03-04 10:00:00'
        where related_id = ${busy}`);
    const names = (entries: readonly Entry[]) => entries.map(({ kind, id }) => `${kind} ${id}`);
    const whole = names(await read("", rep.token, busy));
    expect(new Set(whole).size).toBeGreaterThanOrEqual(8);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), async (limit) => {
        const found: string[] = [];
        let next: string | null = "";
        while (next !== null) {
          const before: string = next === "" ? "" : `&before=${encodeURIComponent(next)}`;
          const { body } = await ask(`&limit=${limit}${before}`, rep.token, busy);
          expect(body.data.timeline.length).toBeLessThanOrEqual(limit);
          found.push(...names(body.data.timeline));
          next = body.data.next;
        }
        expect(found).toEqual(whole);
      }),
      { numRuns: 9 },
    );
  });

  test("keeps the answers of a comment that was deleted, whoever answered whom", async () => {
    const other = await add("crm/leads", { last_name: "Gone" });
    const first = await comment("gone", null, rep.token, other);
    const second = await comment("stays", first, rep.token, other);
    await comment("deeper", second, rep.token, other);
    const deleted = await service.post(`/core/comments/delete.json?id=${first}&is_confirm=1`, {}, rep.token);
    expect(deleted.status).toBe(200);
    expect(await read("&kinds=comment", rep.token, other)).toMatchObject([
      { id: first, comment: null, answers: [{ body: "stays" }, { body: "deeper" }], answer_count: 2 },
    ]);
  });

  test.each([
    ["&kinds=secrets", /kinds.*comment/],
    ["&limit=0", /limit.*100/],
    ["&limit=101", /limit.*100/],
    ["&before=yesterday", /before/],
    ["&before=2026-02-31%2010:00:00~change~1", /before/],
    ["&before=2026-03-04%2010:00:00~change~1;2", /before/],
    ["&before=2026-03-04%2010:00:00~other~1", /before/],
  ])("refuses %s with the reason", async (query, reason) => {
    const { status, body } = await ask(query);
    expect([status, body.errors[0]]).toEqual([400, expect.stringMatching(reason)]);
  });
});

describe("nobody reads in the timeline what its sources would not tell", () => {
  test("the record is not there: to a colleague, a stranger, nobody, and after it was deleted", async () => {
    const colleague = await addPerson(service, "colleague", ["sales_rep"]);
    const stranger = await addOrganization(service, "elsewhere");
    for (const { token } of [colleague, stranger]) expect((await ask("", token)).status).toBe(404);
    expect((await service.get(`/crm/leads/timeline.json?id=${lead}`)).status).toBe(401);
    expect((await service.get("/crm/leads/timeline.json", rep.token)).status).toBe(400);
  });

  test("a hidden field was never changed", async () => {
    const marketing = await addPerson(service, "marketing", ["marketing"]);
    const [company = ""] = await addRows(service, "crm/companies", [{ name: "C" }]);
    const values = { name: "Deal", company_id: company, amount: "90909", owned_by: marketing.id };
    const deal = await add("crm/opportunities", values, admin);
    await save("crm/opportunities", "edit", { id: deal, amount: "80808" }, admin);
    const text = async (token: string) =>
      JSON.stringify((await service.get(`/crm/opportunities/timeline.json?id=${deal}`, token)).body);
    expect(await text(admin)).toMatch(/90909.*80808|80808.*90909/);
    expect(await text(marketing.token)).not.toMatch(/90909|80808|"amount"/);
  });

  test("stages, comments and files are gone with the right to their fields or to their list", async () => {
    const role = await add("access_controls/roles", { name: "Blind", code: "blind" }, admin);
    const all = "index;view;add;edit;delete;comment;export;bulk";
    const types = ["crm/leads", "core/comments", "core/attachments"];
    const operations = types.map((record_type) => ({ record_type, operations: all }));
    await hide("blind", { id: role, operations });
    const blind = await addPerson(service, "blind", ["blind"]);
    await save("crm/leads", "edit", { id: lead, owned_by: blind.id }, admin);
    const kindsOf = async () => [...new Set((await read("", blind.token)).map(({ kind }) => kind))].sort();
    expect(await kindsOf()).toEqual(["change", "comment", "file"]);
    expect(JSON.stringify(await read("", blind.token))).toContain("A good one");
    const anonymous = [
      { record_type: "core/comments", field: "created_by", permission: "1" },
      { record_type: "core/comments", field: "modified", permission: "1" },
      { record_type: "core/attachments", field: "created_by", permission: "1" },
    ];
    await hide("blind", { id: role, fields: anonymous });
    const comments = (await read("&kinds=comment", blind.token)) as unknown as { comment: object }[];
    expect(comments.map(({ comment }) => comment)).toContainEqual(
      expect.objectContaining({ created_by: null, __created_by: null, modified: null }),
    );
    expect(await read("&kinds=file", blind.token)).toMatchObject([{ created_by: null, __created_by: null }]);
    const hidden = [
      { record_type: "crm/leads", field: "current_stage", permission: "1" },
      { record_type: "core/comments", field: "body", permission: "1" },
      { record_type: "core/attachments", field: "file", permission: "1" },
    ];
    await hide("blind", { id: role, fields: hidden });
    const rest = await read("", blind.token);
    expect([...new Set(rest.map(({ kind }) => kind))]).toEqual(["change"]);
    expect(JSON.stringify(rest)).not.toMatch(/A good one|current_stage|First words|Offer/);
    expect(await read("&kinds=stage", blind.token)).toEqual([]);
    const { body } = await service.get(`/crm/leads/stage_log.json?id=${lead}`, blind.token);
    expect(body.data.stage_log).toEqual([]);
  });
});
