// Nobody is told the name of a record that they may not read, nor one held in a field that is hidden from them: not by
// "waits for you", not by a comment, not by the email about a mention.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { writtenMails } from "../../mail/mail-server.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

const SECRET = "Unspoken";

let service: TestService;
let admin: string;
/** Sees everything; sees no names; sees no leads at all. */
let open: Person;
let masked: Person;
let blind: Person;

const save = (type: string, operation: string, values: object, action: object = { save_progress: "Save" }) =>
  service.post(
    `/${type}/${operation}.json?override_duplicates=1`,
    { data: { [type.split("/")[1] ?? ""]: values, action } },
    admin,
  );
const told = async ({ token }: Person): Promise<{ text: string; related_name: string | null }[]> =>
  (await service.get("/core/notifications/mine.json", token)).body.data.notifications;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  const roles = await service.db.rows(sql`select id, code from access_controls__roles where organization_id = 1`);
  const roleId = (code: string) => roles.find((role) => role.code === code)?.id ?? "";
  await addRows(service, "access_controls/role_fields", [
    { role_id: roleId("sales_rep"), record_type: "crm/leads", field: "name", permission: "1" },
    { role_id: roleId("sales_rep"), record_type: "crm/leads", field: "last_name", permission: "1" },
  ]);
  const role = await save("access_controls/roles", "add", {
    name: "Blind",
    code: "blind",
    operations: [{ record_type: "crm/leads", operations: "" }],
  });
  expect(role.body.errors).toEqual([]);
  open = await addPerson(service, "open", ["sales_manager"]);
  masked = await addPerson(service, "masked", ["sales_rep"]);
  blind = await addPerson(service, "blind", ["blind"]);
  await addRows(
    service,
    "core/email_addresses",
    [open, masked, blind].map(({ id }) => ({
      related_type: "access_controls/users",
      related_id: id,
      email: `person${id}@x.example`,
      is_primary: "1",
    })),
  );
  await service.db.run(sql`update core__workflows set is_active = 0 where controller = 'crm/leads'`);
  const actors = [open, masked, blind].map(({ id }) => `user:${id}`);
  const definition = {
    stages: [
      { key: "new", name: "New", kind: "start", actors },
      { key: "done", name: "Done", kind: "end" },
    ],
    transitions: [{ name: "finish", label: "Finish", from: "new", to: "done" }],
  };
  const values = { name: "W", controller: "crm/leads", is_active: "1", definition: JSON.stringify(definition) };
  expect((await save("core/workflows", "add", values)).body.errors).toEqual([]);
});
afterAll(() => service.stop());

test("whose turn it is reads the name only where they may", async () => {
  const added = await save("crm/leads", "add", { last_name: SECRET, status: "new" });
  expect(added.body.errors).toEqual([]);
  expect(await told(open)).toMatchObject([{ text: "Lead: your action needed (New)", related_name: SECRET }]);
  for (const person of [masked, blind]) {
    expect(await told(person)).toMatchObject([{ text: "Lead: your action needed (New)", related_name: null }]);
  }
});

test("who is mentioned, or owns the record, reads the name only where they may, by email too", async () => {
  const [lead = ""] = await addRows(service, "crm/leads", [
    { last_name: SECRET, name: SECRET, owned_by: masked.id, status: "new" },
  ]);
  const comment = (body: string) => save("core/comments", "add", { related_type: "crm/leads", related_id: lead, body });
  expect((await comment("For @masked and @open and @blind")).body.errors).toEqual([]);
  expect((await comment("Once more")).body.errors).toEqual([]);
  expect((await told(open))[0]).toMatchObject({
    text: `Administrator mentioned you on ${SECRET}: For @masked and @open and @blind`,
    related_name: SECRET,
  });
  expect((await told(masked)).slice(0, 2)).toMatchObject([
    { text: `Administrator commented on Lead ${lead}: Once more`, related_name: null },
    { text: `Administrator mentioned you on Lead ${lead}: For @masked and @open and @blind`, related_name: null },
  ]);
  const mails = () => JSON.stringify(writtenMails(service.dataDir).filter(({ to }) => !to.join().includes(open.id)));
  await expect.poll(mails).toContain(`Lead ${lead}`);
  expect(mails()).not.toContain(SECRET);
});
