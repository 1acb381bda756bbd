// Bulk operations on the wire: many records in one call, at once or as a job, and their undo.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "../service.ts";
import { addOrganization, addPerson, addRows, type Person } from "./people.ts";

let service: TestService;
let admin: string;
let manager: Person;
let rep: Person;
let marketing: Person;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  manager = await addPerson(service, "manager", ["sales_manager"]);
  rep = await addPerson(service, "rep", ["sales_rep"]);
  marketing = await addPerson(service, "marketing", ["marketing"]);
});

afterAll(() => service.stop());

const leads = (count: number, more: Record<string, unknown> = {}) =>
  addRows(
    service,
    "crm/leads",
    Array.from({ length: count }, (_, index) => ({
      last_name: `Lead ${index}`,
      name: `Lead ${index}`,
      status: "new",
      owned_by: manager.id,
      ...more,
    })),
  );
const bulk = (operation: string, body: unknown, token = manager.token, type = "crm/leads") =>
  service.post(`/${type}/${operation}.json`, body, token);
const seen = async (id: string, token = admin) =>
  (await service.get(`/crm/leads/view.json?id=${id}`, token)).body.data.leads;
const history = async (id: string) =>
  (await service.get(`/crm/leads/revisions.json?id=${id}`, admin)).body.data.revisions;
const job = async (id: string, token = admin) =>
  (await service.get(`/core/jobs/view.json?id=${id}`, token)).body.data.jobs;
const over = async (id: string) => {
  for (;;) {
    const now = await job(id);
    if (["done", "failed", "cancelled"].includes(now.status)) return now;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

describe("edit_selected", () => {
  test("changes the records that ids name in any of their dresses, with history", async () => {
    const ids = await leads(5);
    const [a, b, c, d, e] = ids;
    const json = await bulk("edit_selected", { ids: [a, b], data: { leads: { status: "contacted" } } });
    expect([json.status, json.body.errors, json.body.message]).toEqual([200, [], ["2 leads changed"]]);
    expect(json.body.data).toEqual({ changed: [a, b], failed: {} });
    const form = new FormData();
    form.append("ids", `${c},${c}`);
    form.append("data[leads][id][]", String(d));
    form.append("data[leads][status]", "contacted");
    const dressed = await bulk("edit_selected", form);
    expect(dressed.body.data.changed).toEqual([c, d]);
    const bare = await service.post(
      "/edit_selected",
      new URLSearchParams({ controller: "crm/leads", "ids[]": String(e), "data[leads][status]": "contacted" }),
      manager.token,
    );
    expect(bare.body.data.changed).toEqual([e]);
    for (const id of ids) expect(await seen(id)).toMatchObject({ status: "contacted", revision: "2" });
    const [last] = await history(a ?? "");
    expect(last).toMatchObject({ operation: "edit", job_id: json.body.job_id, created_by: manager.id });
    expect(last.changes).toMatchObject([{ field: "status", from: "new", to: "contacted" }]);
  });
});

describe("jobs", () => {
  test("more than a thousand records become a job that tells its progress", async () => {
    await leads(2_300, { campaign: "big" });
    const q = JSON.stringify({ where: { campaign: "big" } });
    const started = await bulk("edit_selected", { all_matching: "1", q, data: { leads: { rating: "hot" } } });
    expect(started.status).toBe(202);
    const end = await over(started.body.job_id);
    expect(end).toMatchObject({ status: "done", total: "2300", done: "2300", failed: "0" });
  });
});
