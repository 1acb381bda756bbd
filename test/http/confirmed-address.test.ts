// What a confirmed email address stands for: this very address. Another one in its place has to be confirmed anew.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { newOneTimeToken } from "../../server/modules/access_controls/one-time-tokens.ts";
import { startService, type TestService } from "../service.ts";

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
