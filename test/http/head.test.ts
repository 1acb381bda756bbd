// HEAD only asks: no operation that changes something answers to it, and what reads remembers nothing of it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownOperations } from "../../server/controllers/operations.ts";
import { sql } from "../../server/database/sql.ts";
import { operations } from "../../server/operations/index.ts";
import { startService, type TestService } from "../service.ts";

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.login();
});
afterAll(() => service.stop());

const head = async (path: string): Promise<number> =>
  (await fetch(`${service.url}/${path}`, { method: "HEAD", headers: { authorization: `Bearer ${token}` } })).status;

const own = Object.entries(ownOperations).flatMap(([type, named]) =>
  Object.entries(named).map(([name, operation]) => ({ path: `${type}/${name}`, operation })),
);
const everywhere = Object.entries(operations).map(([name, operation]) => ({ path: `crm/leads/${name}`, operation }));

test("what writes does not answer to it, and logging out by it ends nothing", async () => {
  const writing = [...own, ...everywhere].filter(({ operation }) => operation.reads === false);
  expect(writing.map(({ path }) => path)).toContain("access_controls/users/logout");
  const answers = await Promise.all(writing.map(async ({ path }) => [path, await head(`${path}.json`)]));
  expect(answers.filter(([, status]) => status !== 405)).toEqual([]);
  expect((await service.get("/access_controls/sessions/mine.json", token)).status).toBe(200);
});

test("a list that is asked for by it is not remembered as the one used last", async () => {
  const views = await service.get("/core/listviews/index.json?limit=100", token);
  const ofLeads = views.body.paginate.data.find(
    (row: Record<string, string>) => row["listviews.controller"] === "crm/leads",
  );
  expect(ofLeads).toBeDefined();
  expect(await head(`crm/leads/index.json?current_listview=${ofLeads["listviews.id"]}`)).toBe(200);
  // Remembering is done beside the answer: a GET that came later is there, and is the only one.
  const other = await service.get("/crm/companies/index.json", token);
  expect(other.status).toBe(200);
  const remembered = () => service.db.rows(sql`select controller from core__listview_uses`);
  await expect.poll(async () => (await remembered()).map((row) => row.controller)).toEqual(["crm/companies"]);
});
