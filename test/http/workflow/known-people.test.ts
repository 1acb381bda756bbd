// Whom a record waits for is told as it is at this moment, also to those who looked before somebody was renamed or replaced.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addPerson, type Person } from "../people.ts";

const QUOTES = "crm/quotes";
const SAVE = { save_progress: "Save" };

let service: TestService;
let admin: string;
let rep: Person;
let boss: Person;
let other: Person;

type Values = Record<string, unknown>;
const post = (type: string, operation: string, values: Values, action: Values, token: string): Promise<Answer> =>
  service.post(`/${type}/${operation}.json`, { data: { [type.split("/")[1] ?? ""]: values, action } }, token);
const change = async (type: string, values: Values): Promise<void> => {
  const { body } = await post(type, "edit", values, SAVE, admin);
  expect(body.errors).toEqual([]);
};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  boss = await addPerson(service, "boss", ["sales_rep"]);
  other = await addPerson(service, "other", ["sales_rep"]);
  rep = await addPerson(service, "rep", ["sales_rep"]);
  await change("access_controls/users", { id: rep.id, manager_id: boss.id });
});
afterAll(() => service.stop());

test("after each change of who is who", async () => {
  const values = { name: "Waits", discount: "20", amount: "1000" };
  const made = await post(QUOTES, "add", values, SAVE, rep.token);
  const id: string = made.body.id;
  expect((await post(QUOTES, "edit", { id }, { submit: "submit" }, rep.token)).body.errors).toEqual([]);
  const role = await service.db.row(sql`
    select id from access_controls__roles where organization_id = 1 and code = 'sales_manager'`);
  // Twice each: the second answer may come from memory.
  const waitsFor = async () => {
    const seen: unknown[] = [];
    for (const token of [admin, admin, boss.token, boss.token]) {
      const { body } = await service.get(`/${QUOTES}/view.json?id=${id}`, token);
      seen.push(body.workflow?.actors, body.workflow?.is_my_turn);
    }
    return seen;
  };
  const answers = (actors: readonly string[], isBoss: boolean) => [
    ...[actors, false, actors, false],
    ...(isBoss ? [actors, true, actors, true] : [undefined, undefined, undefined, undefined]),
  ];
  expect(await waitsFor()).toEqual(answers(["boss", "Sales manager"], true));
  await change("access_controls/users", { id: boss.id, last_name: "The boss" });
  expect(await waitsFor()).toEqual(answers(["The boss", "Sales manager"], true));
  await change("access_controls/roles", { id: role?.id, name: "Head of sales" });
  expect(await waitsFor()).toEqual(answers(["The boss", "Head of sales"], true));
  await change("access_controls/users", { id: rep.id, manager_id: other.id });
  expect(await waitsFor()).toEqual(answers(["other", "Head of sales"], false));
});
