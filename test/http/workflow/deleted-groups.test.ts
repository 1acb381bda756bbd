// Groups as actors of a workflow: one that is deleted gives nobody a turn, and nobody is told through it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let member: Person;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  member = await addPerson(service, "member", ["sales_rep"]);
});
afterAll(() => service.stop());

const save = async (type: string, operation: string, values: object, action: object = { save_progress: "Save" }) => {
  const data = { [type.split("/")[1] ?? ""]: values, action };
  const { body } = await service.post(`/${type}/${operation}.json`, { data }, admin);
  expect(body.errors).toEqual([]);
  return body.id as string;
};

/** A person whose next step is the group's. */
async function ask(name: string): Promise<void> {
  const id = await save("crm/peoples", "add", { last_name: name });
  await save("crm/peoples", "edit", { id }, { ask: "Ask" });
}

const turns = async (): Promise<number> => {
  const q = JSON.stringify({ where: { "peoples.current_workflow_actors": member.id } });
  return (await service.get(`/crm/peoples/index.json?q=${encodeURIComponent(q)}`, admin)).body.paginate.total_count;
};
const told = async (): Promise<number> =>
  (await service.get("/core/notifications/mine.json", member.token)).body.data.notifications.length;
const setDeleted = (group: string, deleted: number) =>
  service.db.run(sql`update access_controls__groups set deleted = ${deleted}::smallint where id = ${group}::bigint`);

test("neither within another group nor around one", async () => {
  const inner = await save("access_controls/groups", "add", { name: "Inner", members: [{ user_id: member.id }] });
  const middle = await save("access_controls/groups", "add", { name: "Middle", members: [{ member_group_id: inner }] });
  const outer = await save("access_controls/groups", "add", { name: "Outer", members: [{ member_group_id: middle }] });
  const definition = {
    stages: [
      { key: "open", name: "Open", kind: "start" },
      { key: "asked", name: "Asked", actors: [`group:${outer}`] },
      { key: "done", name: "Done", kind: "end" },
    ],
    transitions: [
      { name: "ask", label: "Ask", from: "open", to: "asked", by: ["owner"] },
      { name: "close", label: "Close", from: "asked", to: "done", by: [`group:${outer}`] },
    ],
  };
  const workflow = { name: "People", controller: "crm/peoples", is_active: "1" };
  await save("core/workflows", "add", { ...workflow, definition: JSON.stringify(definition) });
  await ask("First");
  expect([await turns(), await told()]).toEqual([1, 1]);
  for (const group of [inner, middle, outer]) {
    // As after a deletion whose memberships somebody has brought back one by one.
    await setDeleted(group, 1);
    await ask(`Without ${group}`);
    expect([await turns(), await told()]).toEqual([0, 1]);
    await setDeleted(group, 0);
  }
});
