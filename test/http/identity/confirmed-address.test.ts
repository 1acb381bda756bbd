// What a confirmed email address stands for: this very address. Another one in its place has to be confirmed anew.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { newOneTimeToken } from "../../../server/identity/one-time-tokens.ts";
import { writtenMails } from "../../mail/mail-server.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, addRows } from "../people.ts";

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.login();
});
afterAll(() => service.stop());

const users = "/access_controls/users";
const edit = (values: Record<string, unknown>) =>
  service.post(`${users}/edit.json`, { data: { users: values, action: { save_continue: "Save" } } }, token);
const addressOf = async (id: string) =>
  (await service.get(`${users}/view.json?id=${id}`, token)).body.data.users.email_addresses[0];

test("it falls with a changed address, however that is changed, and with it the link that was sent", async () => {
  const { body } = await service.get(`${users}/profile.json`, token);
  const userId = body.user_id;
  expect((await edit({ id: userId, email_addresses: [{ email: "first@x.example" }] })).body.errors).toEqual([]);
  const { id } = await addressOf(userId);
  const confirm = () => service.db.run(sql`update core__email_addresses set is_confirmed = 1 where id = ${id}::bigint`);
  await confirm();
  await edit({ id: userId, email_addresses: [{ id, email: "first@x.example", type: "home" }] });
  expect(await addressOf(userId)).toMatchObject({ is_confirmed: "1", type: "home" });

  const link = await newOneTimeToken(service.db, "mail", { organizationId: body.organization_id, subject: id }, 600);
  await edit({ id: userId, email_addresses: [{ id, email: "second@x.example" }] });
  expect(await addressOf(userId)).toMatchObject({ email: "second@x.example", is_confirmed: "0" });
  expect((await service.post(`${users}/confirm_mail.json`, { data: { users: { token: link } } })).status).toBe(422);
  expect(await addressOf(userId)).toMatchObject({ is_confirmed: "0" });

  await confirm();
  const direct = { email_addresses: { id, email: "third@x.example" }, action: { save_continue: "Save" } };
  expect((await service.post("/core/email_addresses/edit.json", { data: direct }, token)).body.errors).toEqual([]);
  expect(await addressOf(userId)).toMatchObject({ email: "third@x.example", is_confirmed: "0" });

  await confirm();
  const many = {
    controller: "core/email_addresses",
    ids: id,
    data: { email_addresses: { email: "fourth@x.example" } },
  };
  expect((await service.post("/edit_selected", many, token)).body.errors).toEqual([]);
  expect(await addressOf(userId)).toMatchObject({ email: "fourth@x.example", is_confirmed: "0" });
});

test("a link that was mailed confirms the address it went to, not one that has taken its place", async () => {
  const mine = await addPerson(service, "mine", ["sales_rep"]);
  const editMine = (rows: object[]) =>
    service.post(
      `${users}/edit.json`,
      { data: { users: { id: mine.id, email_addresses: rows }, action: { save_continue: "Save" } } },
      token,
    );
  const both = [
    { email: "own@x.example", is_primary: "1" },
    { email: "victim@x.example", is_primary: "0" },
  ];
  expect((await editMine(both)).body.errors).toEqual([]);
  const asked = await service.post(`${users}/activate_forgotten_password.json`, {
    data: { users: { user_name: "mine" } },
  });
  expect(asked.body.errors).toEqual([]);
  const mailed = () =>
    writtenMails(service.dataDir).findLast(({ to }) => to.some((one) => one.includes("own@x.example")));
  await expect.poll(mailed).toBeDefined();
  const link = /token=(\S+)/u.exec(mailed()?.text ?? "")?.[1];
  const { id } = await addressOf(mine.id);
  expect((await editMine([{ id, deleted: "1" }])).body.errors).toEqual([]);
  expect(await addressOf(mine.id)).toMatchObject({ email: "victim@x.example", is_confirmed: "0" });
  const password = "A long new passphrase 7";
  const values = { token: link, user_password: password, confirm_password: password };
  const reset = await service.post(`${users}/reset_forgotten_password.json`, { data: { users: values } });
  expect(reset.status).toBe(422);
  expect(await addressOf(mine.id)).toMatchObject({ email: "victim@x.example", is_confirmed: "0" });
});

test("a link that chooses a password ends with the address that it was mailed to", async () => {
  const typo = { user_name: "typo", last_name: "Typo", email_addresses: [{ email: "wrong@x.example", type: "work" }] };
  const data = { users: typo, action: { save_continue: "Save" } };
  const added = await service.post(`${users}/add.json`, { data }, token);
  expect(added.body.errors).toEqual([]);
  const mailed = () =>
    writtenMails(service.dataDir).findLast(({ to }) => to.some((one) => one.includes("wrong@x.example")));
  await expect.poll(mailed).toBeDefined();
  const link = /token=(\S+)/u.exec(mailed()?.text ?? "")?.[1];
  const { id } = await addressOf(added.body.id);
  const changed = await edit({ id: added.body.id, email_addresses: [{ id, email: "right@x.example" }] });
  expect(changed.body.errors).toEqual([]);
  const password = "A long new passphrase 7";
  const values = { token: link, user_password: password, confirm_password: password };
  const reset = await service.post(`${users}/reset_forgotten_password.json`, { data: { users: values } });
  expect([reset.status, Object.keys(reset.body.errors_by_field ?? {})]).toEqual([422, ["users.token"]]);
});

test("a colleague in the user's group does not choose where the user's links are mailed", async () => {
  const save = (type: string, operation: string, values: object, as = token) => {
    const data = { [type.split("/")[1] ?? ""]: values, action: { save_progress: "Save" } };
    return service.post(`/${type}/${operation}.json`, { data }, as);
  };
  const operations = [{ record_type: "core/email_addresses", operations: "index;view;edit;delete" }];
  const role = await save("access_controls/roles", "add", { code: "contacts", name: "Contacts", operations });
  expect(role.body.errors).toEqual([]);
  const boss = await addPerson(service, "boss", ["sales_manager"]);
  const colleague = await addPerson(service, "colleague", ["contacts"]);
  const members = [{ user_id: boss.id }, { user_id: colleague.id }];
  expect((await save("access_controls/groups", "add", { name: "Desk", members })).body.errors).toEqual([]);
  const [id = ""] = await addRows(service, "core/email_addresses", [
    {
      related_type: "access_controls/users",
      related_id: boss.id,
      owned_by: boss.id,
      email: "boss@x.example",
      is_primary: "1",
    },
  ]);
  const changed = await save("core/email_addresses", "edit", { id, email: "thief@x.example" }, colleague.token);
  expect([changed.status, Object.keys(changed.body.errors_by_field ?? {})]).toEqual([
    422,
    ["email_addresses.related_id"],
  ]);
  const gone = await service.post(`/core/email_addresses/delete.json?id=${id}&is_confirm=1`, {}, colleague.token);
  expect(gone.status).toBe(409);
  expect(await addressOf(boss.id)).toMatchObject({ email: "boss@x.example" });
});
