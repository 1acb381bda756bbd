// Imports by people who want more than they may: what they send in place of words that are known, what a check tells of records
// that they may not read, and undoing by whoever must not, may not any more, or comes too late.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { addPerson, type Person } from "../people.ts";
import { ALL, type Importing, save, startImporting } from "./importing.ts";

let at: Importing;
let colleague: Person;

beforeAll(async () => {
  at = await startImporting();
  colleague = await addPerson(at.service, "colleague", ["sales_manager"]);
});
afterAll(() => at.service.stop());

const undo = (id: string, token: string) => at.service.post(`/core/jobs/undo.json?id=${id}`, {}, token);
const idsOf = async (...serials: string[]): Promise<string[]> =>
  (await at.assets({ "assets.serial": serials })).map((row) => row["assets.id"] ?? "");

/** With the file in the same request. */
function send(type: string, content: string, mapping: object, more: Record<string, string>, token: string, key = "") {
  const form = new FormData();
  form.append("file", new Blob([content]), "a.csv");
  for (const [name, value] of Object.entries({ mapping: JSON.stringify(mapping), ...more })) form.append(name, value);
  return at.service.post(`/${type}/import.json`, form, token, key === "" ? {} : { "idempotency-key": key });
}

test.each(["constructor", "hasOwnProperty", "isPrototypeOf", "__proto__"])(
  "a separator called %s is none, and nothing is kept that nobody can read again",
  async (separator) => {
    const rows = Array.from({ length: 1_100 }, (_, n) => `Odd ${n}`).join("\n");
    const sent = await send("crm/assets", `name\n${rows}\n`, { name: "name" }, { separator }, at.manager.token);
    expect([sent.status, sent.body.errors]).toEqual([400, ["separator: must be one character"]]);
    expect((await at.upload("name\nNext\n")).body.errors).toEqual([]);
  },
);

test("what was last imported is proposed again, also where the rest of that import cannot be read", async () => {
  const done = await at.run("Odd name\nx\n", { mapping: { "Odd name": "name" } });
  expect(done.body.data.counts).toMatchObject({ added: 1 });
  await at.service.db.run(sql`
    update core__jobs set input = input #- '{import,dialect,separator}' where id = ${done.body.job_id}::bigint`);
  const { body } = await at.upload("Odd name\ny\n");
  expect([body.errors, body.data.columns[0].target]).toEqual([[], "name"]);
});

describe("a check", () => {
  const hidden = { last_name: "Hush", email: "hush@hidden.example" };
  const content = `last_name,email\nMine,${hidden.email}\nMine too,nobody@hidden.example\n`;
  const mapping = { last_name: "last_name", email: "email" };

  beforeAll(async () => {
    await at.permit("sales_rep", ALL, "crm/leads");
    const added = await at.service.post("/crm/leads/add.json", { data: { leads: hidden, action: save } }, at.admin);
    expect(added.body.errors).toEqual([]);
    const seen = await at.service.get(`/crm/leads/view.json?id=${added.body.id}`, at.rep.token);
    expect(seen.status).toBe(404);
  });

  test.each([
    ["as a duplicate", { mode: "add" }, { added: 2, failed: 0 }],
    ["by a key, to change it", { mode: "update", key: "email" }, { changed: 0, failed: 2 }],
    ["by a key, to add or change it", { mode: "upsert", key: "email" }, { added: 2, changed: 0, failed: 0 }],
    ["by a key, to skip it", { mode: "skip", key: "email" }, { added: 2, skipped: 0, failed: 0 }],
  ])("finds no record that its reader cannot read: %s", async (_, more, counts) => {
    const sent = { ...(more as Record<string, string>), dry_run: "1" };
    const { body } = await send("crm/leads", content, mapping, sent, at.rep.token);
    expect([body.errors, body.data?.counts]).toEqual([[], expect.objectContaining(counts)]);
    const [one, two] = body.data.faults;
    expect(one?.reasons).toEqual(two?.reasons);
    expect(JSON.stringify(body)).not.toContain("Hush");
  });
});

describe("an undo", () => {
  const content = (mark: string) => `name,serial,price\nA,${mark}1,1\nB,${mark}2,2\n`;
  const imported = async (mark: string, token = at.manager.token): Promise<string> => {
    const { body } = await at.run(content(mark), { mode: "add" }, token);
    expect(body.data.counts).toMatchObject({ added: 2, failed: 0 });
    return body.job_id;
  };

  test("is for its starter and administrators of the organization, once", async () => {
    const id = await imported("UNDO");
    for (const token of [colleague.token, at.rep.token, at.other.token])
      for (const operation of ["undo", "cancel"]) {
        const refused = await at.service.post(`/core/jobs/${operation}.json?id=${id}`, {}, token);
        expect([operation, refused.status]).toEqual([operation, 404]);
      }
    expect(await idsOf("UNDO1", "UNDO2")).toHaveLength(2);
    const twice = await Promise.all([undo(id, at.manager.token), undo(id, at.admin)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await idsOf("UNDO1", "UNDO2")).toEqual([]);
    const again = await undo(id, at.manager.token);
    expect([again.status, again.body.errors]).toEqual([409, ["This job was already undone"]]);
  });

  test.each([
    ["to delete", "index;view;add;edit;import;export;bulk"],
    ["to change many", "index;view;add;edit;delete;import;export"],
    ["to see the records", "add;import;bulk"],
  ])("by whoever has lost the right %s is refused, and takes nothing back", async (right, left) => {
    const mark = `LOST${right.length}`;
    const id = await imported(mark);
    await at.permit("sales_manager", left);
    const refused = await undo(id, at.manager.token).finally(() => at.permit("sales_manager", ALL));
    expect(refused.status).toBe(403);
    expect(await idsOf(`${mark}1`, `${mark}2`)).toHaveLength(2);
    expect((await undo(id, at.manager.token)).status).toBe(200);
  });

  test("waits until the import has ended", async () => {
    const rows = Array.from({ length: 1_100 }, (_, n) => `R,RUN${n}`).join("\n");
    const ended = await at.meanwhile(`name,serial\n${rows}\n`, {}, async (id) => {
      const early = await undo(id, at.manager.token);
      expect([early.status, early.body.errors]).toEqual([409, [expect.stringMatching(/still running/iu)]]);
    });
    expect([ended.status, ended.done]).toEqual(["done", "1100"]);
  });

  test("leaves what a hand or a later job changed, until that job is undone as well", async () => {
    await imported("PAST");
    const [first = "", second = ""] = await idsOf("PAST1", "PAST2");
    const changed = await at.run("serial,price,name\nPAST1,10,C\nPAST2,20,D\n", { mode: "update", key: "serial" });
    expect(changed.body.data.counts).toMatchObject({ changed: 2 });
    const hand = { data: { assets: { id: first, name: "By hand" }, action: save } };
    expect((await at.service.post("/crm/assets/edit.json", hand, at.manager.token)).body.errors).toEqual([]);
    const bulk = await at.service.post(
      "/crm/assets/edit_selected.json",
      { ids: [first, second], data: { assets: { price: "99" } } },
      at.manager.token,
    );
    expect(bulk.body.errors).toEqual([]);
    const values = async () =>
      (await at.assets({ "assets.serial": ["PAST1", "PAST2"] })).map((row) => [
        row["assets.name"],
        row["assets.price"],
      ]);
    const partly = await undo(changed.body.job_id, at.manager.token);
    expect(partly.body.data.left_alone).toEqual({ [first]: ["name", "price"], [second]: ["price"] });
    expect(await values()).toEqual([
      ["By hand", "99.00"],
      ["B", "99.00"],
    ]);
    expect((await undo(bulk.body.job_id, at.manager.token)).status).toBe(200);
    expect(await values()).toEqual([
      ["By hand", "10.00"],
      ["B", "20.00"],
    ]);
  });
});

test("an import that is sent again under its Idempotency-Key is one, also at once; another file is refused", async () => {
  const mapping = { name: "name", serial: "serial" };
  const once = (content = "name,serial\nOnce,ONCE1\n") =>
    send("crm/assets", content, mapping, {}, at.manager.token, "import-once-1");
  const answers = [...(await Promise.all([once(), once()])), await once()];
  expect(answers.map(({ status, body }) => [status, body.job_id])).toEqual(
    answers.map(() => [200, answers[0]?.body.job_id]),
  );
  expect(await idsOf("ONCE1")).toHaveLength(1);
  expect((await once("name,serial\nOther,ONCE2\n")).status).toBe(409);
  expect(await idsOf("ONCE2")).toEqual([]);
});

test("a child of a record of somebody else's is not taken over by its id", async () => {
  const add = async (values: object, token: string) =>
    (await at.service.post("/crm/leads/add.json", { data: { leads: values, action: save } }, token)).body.id;
  await at.permit("sales_rep", ALL, "crm/leads");
  const theirs = await add({ last_name: "Theirs", email_addresses: [{ email: "theirs@x.example" }] }, at.manager.token);
  const mine = await add({ last_name: "Mine" }, at.rep.token);
  const child = await at.service.db.row(sql`
    select id::text as id from core__email_addresses where organization_id = 1 and related_id = ${theirs}`);
  const mapping = { id: "id", child: "email_addresses.1.id", mail: "email_addresses.1.email" };
  const content = `id,child,mail\n${mine},${child?.id},mine@x.example\n`;
  const { body } = await send("crm/leads", content, mapping, { mode: "update", key: "id" }, at.rep.token);
  expect(body.data?.counts ?? body.errors).toMatchObject({ changed: 0, failed: 1 });
  const kept = await at.service.db.row(sql`
    select email, related_id from core__email_addresses where organization_id = 1 and id = ${child?.id ?? null}::bigint`);
  expect(kept).toEqual({ email: "theirs@x.example", related_id: theirs });
});
