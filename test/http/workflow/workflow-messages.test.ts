// What messages of workflows print: names, labels and the reader's own formats; never what the reader may not see.
import { afterAll, beforeAll, expect, test } from "vitest";
import { say } from "../../../contract/messages.ts";
import type { Caller } from "../../../server/access/caller.ts";
import { readPerson } from "../../../server/access/read-caller.ts";
import { sql } from "../../../server/database/sql.ts";
import { createUser } from "../../../server/identity/create-user.ts";
import { peopleBehind } from "../../../server/records/workflow/people-behind.ts";
import { tellAdministrators } from "../../../server/records/workflow/tell-administrators.ts";
import { writtenMails } from "../../mail/mail-server.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person, snapshot } from "../people.ts";

let service: TestService;
let admin: string;
let berlin: Person;
let lima: Person;
let friend: string;

const SAVE = { save_progress: "Save" };
const post = (type: string, operation: string, values: object, token: string, action: object = SAVE): Promise<Answer> =>
  service.post(
    `/${type}/${operation}.json?override_duplicates=1`,
    { data: { [type.split("/")[1] ?? ""]: values, action } },
    token,
  );

const TEXT =
  "{{name}} of {{referred_by_id}} ({{referred_by_id.owned_by.name}}), {{status}}, {{amount}}, {{employees}}, {{last_contacted}}, " +
  "{{owned_by}}, {{last_name & '/' & rating}}, {{employees * 2}}, {{today()}}";

const definition = (text: string, to: string[]) => ({
  stages: [
    { key: "new", name: "New", kind: "start" },
    { key: "done", name: "Done", kind: "end" },
  ],
  transitions: [
    {
      name: "finish",
      label: "Finish",
      from: "new",
      to: "done",
      effects: [
        { notify: { to: to.filter((one) => !one.startsWith("email:")), text } },
        { mail: { to, subject: "About {{referred_by_id.name}}", text } },
      ],
    },
  ],
});

let workflow: string | undefined;
/** The workflow of leads from now on. */
async function design(text: string, to: string[]): Promise<Answer> {
  const values = { definition: JSON.stringify(definition(text, to)) };
  if (workflow !== undefined) return post("core/workflows", "edit", { id: workflow, ...values }, admin);
  await service.db.run(sql`update core__workflows set is_active = 0 where controller = 'crm/leads'`);
  const added = await post(
    "core/workflows",
    "add",
    { name: "Told", controller: "crm/leads", is_active: "1", ...values },
    admin,
  );
  workflow = added.body.id;
  return added;
}

async function finish(values: object, token: string): Promise<string> {
  const added = await post("crm/leads", "add", values, token);
  expect(added.body.errors).toEqual([]);
  const taken = await post("crm/leads", "edit", { id: added.body.id }, token, { finish: "Finish" });
  expect(taken.body.errors).toEqual([]);
  return added.body.id;
}

const toldTo = async (token: string): Promise<string> => {
  const { body } = await service.get("/core/notifications/mine.json", token);
  return body.data.notifications[0]?.text ?? "";
};
const mailTo = (address: string) =>
  expect.poll(() => writtenMails(service.dataDir).findLast(({ to }) => to.some((one) => one.includes(address))));

const lead = {
  last_name: "Ash",
  status: "new",
  amount: "12345.60",
  employees: "1234",
  last_contacted: "2026-03-04 23:05:00",
  email: "customer@outside.example",
};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  berlin = await addPerson(service, "berlin", ["sales_manager"]);
  lima = await addPerson(service, "lima", ["sales_manager"]);
  const settle = (id: string, zone: string, locale: string, hours: string) =>
    service.db.run(sql`
      update access_controls__users set time_zone = ${zone}, locale = ${locale}, hour_format = ${hours}
      where id = ${id}::bigint`);
  await settle(berlin.id, "Europe/Berlin", "de-DE", "24");
  await settle(lima.id, "America/Lima", "en-US", "12");
  await service.db.run(sql`
    update access_controls__organizations set currency_id = (select id from masters__currencies where code = 'EUR'),
      locale = 'en-GB', time_zone = 'UTC'`);
  [friend = ""] = await addRows(service, "crm/peoples", [
    { last_name: "Lindqvist", name: "Lindqvist", owned_by: berlin.id },
  ]);
});
afterAll(() => service.stop());

test("each reads names, labels, amounts and times as their profile writes them; an outsider as the organization does", async () => {
  const made = await design(TEXT, [`user:${berlin.id}`, `user:${lima.id}`, "email:email"]);
  expect(made.body.errors).toEqual([]);
  await addRows(service, "core/email_addresses", [
    { related_type: "access_controls/users", related_id: lima.id, email: "lima@shop.example", is_primary: "1" },
  ]);
  await finish({ ...lead, referred_by_id: friend }, admin);
  const german = await toldTo(berlin.token);
  expect(german).toContain("Ash of Lindqvist (berlin), New, 12.345,60 €, 1.234, 05.03.2026, 00:05,");
  expect(german).toContain("2.468");
  const american = await toldTo(lima.token);
  expect(american).toMatch(
    /^Ash of Lindqvist \(berlin\), New, €12,345\.60, 1,234, Mar 4, 2026, 6:05\sPM, Administrator, /u,
  );
  await mailTo("lima@shop.example").toMatchObject({ text: expect.stringMatching(/Mar 4, 2026, 6:05\sPM/u) });
  await mailTo("customer@outside.example").toMatchObject({
    headers: expect.stringContaining("Subject: About Lindqvist"),
    text: expect.stringContaining("€12,345.60, 1,234, 4 Mar 2026, 23:05"),
  });
});

test("nobody reads through a template what they may not see: hidden fields, records, and what an outsider is told by a clerk", async () => {
  expect(
    (await design("[{{amount}}|{{referred_by_id.name}}|{{amount * 2}}]", [`user:${lima.id}`, "email:email"])).body
      .errors,
  ).toEqual([]);
  const roles = await service.db.rows(sql`select id, code from access_controls__roles where organization_id = 1`);
  const roleId = (code: string) => roles.find((role) => role.code === code)?.id ?? "";
  await addRows(service, "access_controls/role_fields", [
    { role_id: roleId("sales_manager"), record_type: "crm/leads", field: "amount", permission: "1" },
    { role_id: roleId("sales_rep"), record_type: "crm/leads", field: "amount", permission: "1" },
  ]);
  await finish({ ...lead, last_name: "Hidden", referred_by_id: friend }, admin);
  expect(await toldTo(lima.token)).toBe("[|Lindqvist|]");
  // The administrator sees the amount, and so does whom the administrator's step writes to.
  await mailTo("customer@outside.example").toMatchObject({
    text: expect.stringContaining("[€12,345.60|Lindqvist|24,691.2]"),
  });
  const clerk = await addPerson(service, "clerk", ["sales_rep"]);
  await finish({ last_name: "Clerk", email: "own@outside.example", status: "new" }, clerk.token);
  await mailTo("own@outside.example").toMatchObject({ text: expect.stringContaining("[||]") });
});

test("whoever is told reads by its own role: not a type that it may not look at, not a record, not what an amount is in", async () => {
  const role = (code: string, operations: string, fields: object[] = []) =>
    post(
      "access_controls/roles",
      "add",
      { code, name: code, operations: [{ record_type: "crm/leads", operations }], fields },
      admin,
    );
  await role("deaf", "");
  await role("reader", "index;view");
  await role("plain", "index;view", [{ record_type: "crm/leads", field: "currency_id", permission: "1" }]);
  const told = async (code: string, isOwner: boolean): Promise<string> => {
    const person = await addPerson(service, `${code} ${isOwner}`.replace(" ", "."), [code]);
    expect((await design("[{{last_name}}|{{amount}}]", [`user:${person.id}`])).body.errors).toEqual([]);
    await finish({ ...lead, ...(isOwner ? { owned_by: person.id } : {}) }, admin);
    const rows = await service.db.rows(sql`
      select text from core__notifications where owned_by = ${person.id}::bigint and text like '[%'`);
    return rows.map(({ text }) => text).join();
  };
  expect(await told("reader", true)).toBe("[Ash|€12,345.60]");
  expect(await told("plain", true)).toBe("[Ash|12,345.60]");
  expect(await told("reader", false)).toBe("[|]");
  expect(await told("deaf", true)).toBe("[|]");
});

test("behind a group are its active members, and those of the groups within it", async () => {
  const people = await Promise.all(
    ["in", "within", "away", "left"].map((name) => addPerson(service, `g.${name}`, ["sales_rep"])),
  );
  const [member, within, away, left] = people.map(({ id }) => id);
  const inner = await post("access_controls/groups", "add", { name: "Inner", members: [{ user_id: within }] }, admin);
  const members = [{ user_id: member }, { user_id: away }, { user_id: left }, { member_group_id: inner.body.id }];
  const outer = await post("access_controls/groups", "add", { name: "Outer", members }, admin);
  expect(outer.body.errors).toEqual([]);
  const caller = await readPerson(service.db, "1", "1");
  const behind = () =>
    service.db.transaction((transaction) => {
      const work = { transaction, snapshot, caller: caller as Caller, hooks: {}, accessChanges: new Set<never>() };
      return peopleBehind(work, [{ owner: null, actors: [`group:${outer.body.id}`] }]);
    });
  const sorted = (...ids: (string | undefined)[]) => [ids.sort((a, b) => Number(a) - Number(b))];
  expect(await behind()).toEqual(sorted(member, within, away, left));
  await service.db.run(sql`update access_controls__users set is_active = 0 where id = ${away ?? ""}::bigint`);
  await service.db.run(
    sql`update access_controls__group_members set deleted = 1 where user_id = ${left ?? ""}::bigint`,
  );
  expect(await behind()).toEqual(sorted(member, within));
  await service.db.run(
    sql`update access_controls__group_members set deleted = 1 where member_group_id = ${inner.body.id}::bigint`,
  );
  expect(await behind()).toEqual(sorted(member));
});

test("an effect writes to a hundred people at most, however many it names", async () => {
  expect((await post("access_controls/roles", "add", { code: "crowd", name: "Crowd" }, admin)).body.errors).toEqual([]);
  const { id: role = "" } =
    (await service.db.row(sql`select id from access_controls__roles where code = 'crowd' and organization_id = 1`)) ??
    {};
  const people = await service.db.transaction(async (transaction) => {
    const ids: string[] = [];
    for (let at = 0; at < 101; at += 1) {
      const name = `crowd.${at}`;
      const user = { userName: name, firstName: null, lastName: name, roleIds: [role ?? ""], passwordHash: "" };
      ids.push(await createUser(transaction, snapshot, "1", user));
    }
    return ids;
  });
  await addRows(
    service,
    "core/email_addresses",
    people.map((id) => ({ related_type: "access_controls/users", related_id: id, email: `${id}@crowd.example` })),
  );
  expect((await design("News", ["role:crowd"])).body.errors).toEqual([]);
  await finish({ ...lead, last_name: "Crowd" }, admin);
  const mailed = await service.db.rows(sql`select recipient from core__mails where recipient like '%@crowd.example'`);
  const first = people.slice(0, 100).map((id) => `${id}@crowd.example`);
  expect(mailed.map(({ recipient }) => recipient).sort()).toEqual(first.sort());
  // Here there is no such limit: nothing goes out of the house.
  const told = await service.db.rows(sql`select id from core__notifications where text = 'News'`);
  expect(told).toHaveLength(101);
});

test("what the service has to say to administrators is said to nobody else", async () => {
  await service.db.transaction((transaction) =>
    tellAdministrators(transaction, snapshot, "1", "test", say("hold_quota")),
  );
  const told = await service.db.rows(sql`select owned_by::text as id from core__notifications where kind = 'test'`);
  expect(told).toEqual([{ id: "1" }]);
});

test.each([
  ["named a hundred times", "{{description}}".repeat(130)],
  ["joined within one expression", `{{${Array.from({ length: 60 }, () => "description").join(" & ")}}}`],
])("a long field that is %s makes no long message, and the reader sees that it was cut", async (_, template) => {
  expect((await design(template, [`user:${lima.id}`, "email:email"])).body.errors).toEqual([]);
  await finish({ ...lead, last_name: "Long", description: "x".repeat(19_000) }, admin);
  const mail = await service.db.row(sql`
    select length(content ->> 'text')::text as characters, right(content ->> 'text', 1) as last
    from core__mails order by id desc limit 1`);
  expect(mail).toEqual({ characters: "100001", last: "…" });
});

test.each([
  ["{{compny.name}}", "compny.name"],
  ["{{referred_by_id.nme}}", "referred_by_id.nme"],
  ["{{owned_by.principal_id}}", "owned_by.principal_id"],
  ["{{owned_by.owned_by.owned_by.owned_by.owned_by.name}}", ""],
  ["{{addresses.city}}", "addresses.city"],
])("%s is refused when the workflow is saved, by name", async (text, path) => {
  const { status, body } = await design(text, [`user:${lima.id}`]);
  expect(status).toBe(422);
  expect(body.errors.join(" ")).toContain(path);
});
