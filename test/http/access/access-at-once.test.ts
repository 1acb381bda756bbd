// Several administrators who change groups and policies at the same moment: nobody is turned away by the others.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { type Accounts, logIn, openAccounts } from "../accounts.ts";

let service: TestService;
let accounts: Accounts;
let tokens: readonly string[];

beforeAll(async () => {
  service = await startService();
  accounts = await openAccounts(service.db);
  const names = Array.from({ length: 6 }, (_, index) => `chief.${index}`);
  for (const name of names) await accounts.add(name, ["administrator"]);
  // All known before they begin, so that they begin together.
  tokens = await Promise.all(names.map(async (name) => (await logIn(service, name)).access));
});
afterAll(() => service.stop());

const save = (type: string, operation: "add" | "edit", values: Record<string, unknown>, token: string) => {
  const data = { [type.split("/")[1] ?? ""]: values, action: { save_progress: "Save" } };
  return service.post(`/${type}/${operation}.json`, { data }, token);
};

test("groups are made, filled, changed and deleted by six administrators at once", async () => {
  const userId = await accounts.add("member");
  const made = await Promise.all(
    tokens.map((token, index) =>
      save("access_controls/groups", "add", { name: `Group ${index}`, members: [{ user_id: userId }] }, token),
    ),
  );
  expect(made.map(({ status, body }) => [status, body.errors])).toEqual(tokens.map(() => [200, []]));
  const changed = await Promise.all(
    tokens.map((token, index) =>
      save("access_controls/groups", "edit", { id: made[index]?.body.id, name: `Team ${index}` }, token),
    ),
  );
  expect(changed.map(({ status, body }) => [status, body.errors])).toEqual(tokens.map(() => [200, []]));
  const gone = await Promise.all(
    tokens.map((token, index) =>
      service.post(`/access_controls/groups/delete.json?id=${made[index]?.body.id}&override=1`, {}, token),
    ),
  );
  expect(gone.map(({ status, body }) => [status, body.errors])).toEqual(tokens.map(() => [200, []]));
});

test("of two last administrators who deactivate each other at once, one is left", async () => {
  const admin = await service.login();
  const rows = await service.db.rows<{ id: string; name: string }>(sql`
    select user_id::text as id, user_name as name from access_controls__user_names
    where user_name = 'admin' or user_name like 'chief.%' order by user_name`);
  const [own, first, ...others] = rows.map(({ id }) => id);
  const deactivate = (id = "", token = admin) =>
    service.post(`/access_controls/users/deactivate.json?id=${id}`, {}, token);
  for (const id of others) expect((await deactivate(id)).body.errors).toEqual([]);
  const users = [own ?? "", first ?? ""];
  const waiting = async () =>
    (
      await service.db.rows(sql`
      select 1 as one from pg_locks where not granted
        and pid in (select pid from pg_stat_activity where datname = current_database())`)
    ).length;
  // Both wait for their end while somebody holds the sessions that end with it.
  const both = await service.db.transaction(async (transaction) => {
    await transaction.rows(sql`
      select s.id::text as id from access_controls__sessions s
      where s.organization_id = 1 and s.user_id = any(${users}::bigint[]) for update`);
    const asked = [deactivate(first), deactivate(own, tokens[0])];
    await expect.poll(waiting).toBe(2);
    return { asked };
  });
  const answers = await Promise.all(both.asked);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const left = await service.db.rows(sql`
    select user_name from access_controls__users u
    where u.organization_id = 1 and u.is_active = 1 and u.id = any(${users}::bigint[])`);
  expect(left).toHaveLength(1);
});
