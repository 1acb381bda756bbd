// What changes around an import while it is under way, between its check and its run, and before it is undone: rights that go and
// record types that are redesigned. Each ends with a sentence; what is done is whole, and can be undone.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { addPerson } from "../people.ts";
import { ALL, type Importing, save, startImporting } from "./importing.ts";

let at: Importing;

beforeAll(async () => {
  at = await startImporting();
});
afterAll(() => at.service.stop());

const rows = (prefix: string, count = 1_200, more = (_: number): string => "") =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index},${prefix}${index}${more(index)}`).join("\n");

const said = ({ result }: { result: string }): string[] => JSON.parse(result).message;
const later = { name: "later", type: "short-text" };

describe("who loses a right while the import runs", () => {
  const change = async (type: string, values: object, operation = "edit") => {
    const [, alias = ""] = type.split("/");
    const answer = await at.service.post(
      `/${type}/${operation}.json`,
      { data: { [alias]: values, action: save } },
      at.admin,
    );
    expect(answer.body.errors).toEqual([]);
  };
  const roleOf = async (code: string) =>
    (await at.service.db.row(sql`select id from access_controls__roles where organization_id = 1 and code = ${code}`))
      ?.id;
  const held = async () =>
    at.service.db.row(sql`
      select m.id::text as id from access_controls__roles_users m
      where m.organization_id = 1 and m.user_id = ${at.manager.id}::bigint and m.deleted = 0`);

  const losses: [string, () => Promise<void>, () => Promise<void>, string][] = [
    [
      "to add",
      () => at.permit("sales_manager", "index;view;edit;delete;import;bulk"),
      () => at.permit("sales_manager", ALL),
      "You don't have permission to add Assets",
    ],
    [
      "to edit",
      () => at.permit("sales_manager", "index;view;add;delete;import;bulk"),
      () => at.permit("sales_manager", ALL),
      "You don't have permission to edit Assets",
    ],
    [
      "by losing the role",
      async () => {
        const path = `/access_controls/roles_users/delete.json?id=${(await held())?.id}&is_confirm=1`;
        expect((await at.service.post(path, {}, at.admin)).body.errors).toEqual([]);
      },
      async () =>
        change(
          "access_controls/roles_users",
          { user_id: at.manager.id, role_id: await roleOf("sales_manager") },
          "add",
        ),
      "You don't have permission to import Assets",
    ],
    [
      "by being deactivated",
      () => change("access_controls/users", { id: at.manager.id, is_active: "0" }),
      async () => {
        await change("access_controls/users", { id: at.manager.id, is_active: "1" });
        Object.assign(at.manager, { token: await at.service.login("manager", at.service.admin.password) });
      },
      "The user who started this job is no longer active",
    ],
  ];

  test.each(losses)("%s: the chunk under way is whole, and no other follows", async (name, lose, regain, sentence) => {
    const prefix = `L${name.length}`;
    const ended = await at.meanwhile(`name,serial\n${rows(prefix)}\n`, {}, lose).finally(regain);
    expect([ended.status, ended.done, said(ended)]).toEqual(["failed", "1000", [sentence]]);
    const count = async () =>
      (
        await at.service.db.row(sql`
          select count(*)::text as n from crm__assets where organization_id = 1 and deleted = 0 and name like ${`${prefix} %`}`)
      )?.n;
    expect(await count()).toBe("1000");
    const back = await at.undo(ended.id);
    expect([back.status, back.body.errors, await count()]).toEqual([200, [], "0"]);
  });

  test("an API key that is revoked", async () => {
    const person = await addPerson(at.service, "keyed", ["sales_manager"]);
    const limits = { "crm/assets": "write" };
    const key = await at.service.post(
      "/access_controls/api_keys/add.json",
      { data: { api_keys: { name: "importer", scope: "write", limits } } },
      person.token,
    );
    const { secret, id } = key.body.data.api_keys;
    const revoke = async () => {
      const revoked = await at.service.post("/access_controls/api_keys/revoke.json", { id }, person.token);
      expect(revoked.body.errors).toEqual([]);
    };
    const ended = await at.meanwhile(`name,serial\n${rows("K")}\n`, {}, revoke, secret);
    const sentence = "The API key that started this job was revoked";
    expect([ended.status, ended.done, said(ended)]).toEqual(["failed", "1000", [sentence]]);
  });
});

describe("a record type that is redesigned", () => {
  test("while the import runs: a field becomes required, and rows without it fail, each with its reason", async () => {
    await at.design([later]);
    const ended = await at.meanwhile(
      `name,serial,later\n${rows("R", 1_200, (index) => (index % 2 === 0 ? ",x" : ","))}\n`,
      {},
      () => at.design([{ ...later, required: true }]),
    );
    const { counts, faults } = JSON.parse(ended.result);
    // The chunk that waits meanwhile is begun anew.
    expect([ended.status, ended.done, ended.failed, counts.added]).toEqual(["done", "1200", "600", 600]);
    expect(faults[0]).toMatchObject({ column: "later", reasons: ["Later is required"] });
    expect((await at.undo(ended.id)).status).toBeLessThan(300);
    await at.design([], { discard: "later" });
  });

  test("while the import runs: a field changes its type, and what does not fit is told by row", async () => {
    await at.design([later]);
    const ended = await at.meanwhile(
      `name,serial,later\n${rows("T", 1_200, (index) => (index < 1_100 ? ",7" : ",seven"))}\n`,
      {},
      () => at.design([{ name: "later", type: "integer" }], { convert: "later" }),
    );
    const { counts, faults } = JSON.parse(ended.result);
    expect([ended.status, ended.done, ended.failed, counts.added]).toEqual(["done", "1200", "100", 1_100]);
    expect(faults[0]).toMatchObject({ column: "later", value: "seven", reasons: [expect.stringContaining("Later")] });
    const stored = await at.service.db.row(sql`
      select count(*)::text as n from crm__assets where organization_id = 1 and deleted = 0 and name like 'T %' and later::text = '7'`);
    expect(stored?.n).toBe("1100");
    await at.design([], { discard: "later" });
  });

  test("between check and run: what a save would refuse now is told, and all or nothing keeps nothing", async () => {
    await at.design([later]);
    const content = "name,serial,later\nA,BR1,\nB,BR2,many\nC,BR3,3\n";
    const checked = await at.run(content, { mode: "add", dry_run: "1" });
    expect(checked.body.data.counts).toMatchObject({ added: 3, failed: 0 });
    await at.design([{ name: "later", type: "integer", required: true }], { convert: "later" });
    const mapping = { name: "name", serial: "serial", later: "later" };
    const whole = await at.run(content, { mode: "add", atomic: "1", mapping });
    expect([whole.status, whole.body.data.faults.map(({ row }: { row: number }) => row)]).toEqual([422, [2, 3]]);
    expect(await at.assets({ "assets.serial": ["BR1", "BR2", "BR3"] })).toEqual([]);
    const ran = await at.run(content, { mode: "add", mapping });
    expect(ran.body.data.counts).toMatchObject({ added: 1, failed: 2 });
    expect(ran.body.data.faults.map(({ reasons }: { reasons: string[] }) => reasons[0])).toEqual([
      "Later is required",
      expect.stringContaining("Later must be a whole number"),
    ]);
    await at.design([], { discard: "later" });
  });

  test("between run and undo: what became required is told and stays; another type takes back what it can", async () => {
    await at.design([later]);
    await at.run("name,serial\nU1,UN1\nU2,UN2\n", { mode: "add" });
    const changed = await at.run("serial,later\nUN1,5\nUN2,6\n", { mode: "update", key: "serial" });
    expect(changed.body.data.counts).toMatchObject({ changed: 2 });
    await at.design([{ name: "later", type: "integer", required: true }], { convert: "later" });
    const values = async () => (await at.assets({ "assets.serial": ["UN1", "UN2"] })).map((row) => row["assets.later"]);
    const back = await at.undo(changed.body.job_id);
    expect([back.status, Object.values(back.body.data.failed), await values()]).toEqual([
      200,
      [["Later is required"], ["Later is required"]],
      ["5", "6"],
    ]);
    await at.design([{ name: "later", type: "integer" }]);
    const again = await at.undo(changed.body.job_id);
    expect([again.status, again.body.data.failed ?? {}, await values()]).toEqual([200, {}, [null, null]]);
    await at.design([], { discard: "later" });
  });
});

test("two imports of the same file at once that only add: each row is saved once, and told twice", async () => {
  const content = `name,serial\n${rows("Twin", 1_100)}\n`;
  const both = await Promise.all([at.run(content, { mode: "add" }), at.run(content, { mode: "add" })]);
  const ends = await Promise.all(both.map(({ body }) => at.over(body.job_id)));
  const added = ends.map(({ result }) => JSON.parse(result).counts?.added ?? 0);
  expect(added[0] + added[1]).toBe(1_100);
  expect(ends.map(({ done }) => done)).toEqual(["1100", "1100"]);
  expect(Number(ends[0].failed) + Number(ends[1].failed)).toBe(1_100);
});

test("a record type that is removed while the import runs: it ends with a sentence", async () => {
  const ended = await at.meanwhile(`name,serial\n${rows("G")}\n`, {}, async () => {
    const path = "/metadata/record_types/remove.json?key=crm/assets&is_confirm=1";
    expect((await at.service.post(path, {}, at.admin)).body.errors).toEqual([]);
  });
  expect([ended.status, ended.done, said(ended)]).toEqual(["failed", "0", ["This record type no longer exists"]]);
  const undone = await at.undo(ended.id, at.admin);
  expect([undone.status, undone.body.errors]).toEqual([409, [expect.any(String)]]);
});
