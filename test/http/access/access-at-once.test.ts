// Several administrators who change groups and policies at the same moment: nobody is turned away by the others.
import { afterAll, beforeAll, expect, test } from "vitest";
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
