// What one request, and one organization, may take: bytes, time and places. A table that is locked makes statements that
// never end by themselves, so nothing here depends on how fast the machine is.
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addRows, describeAtLength } from "../people.ts";

let service: TestService;
let admin: string;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  const second = await addOrganization(service, "quiet");
  const long = Array.from({ length: 40 }, (_, at) => ({ name: `Lead ${at}`, last_name: `Lead ${at}` }));
  await addRows(service, "crm/leads", long);
  await describeAtLength(service, "crm__leads", sql`id::text || repeat('x', 1000000)`);
  await addRows(service, "crm/companies", [{ name: "Quiet" }], second.organizationId);
});
afterAll(() => service.stop());

const q = (value: unknown) => `q=${encodeURIComponent(JSON.stringify(value))}`;
const long = { fields: ["leads.description"], limit: -1 };

describe("a result that is too large", () => {
  const tooLarge = "The result is larger than 32 MiB. Ask for fewer columns or rows, or use export";

  test.each([
    ["a list", `crm/leads/index.json?${q(long)}`],
    ["groups", `crm/leads/index.json?${q({ group: ["leads.description"] })}`],
    ["a related list", `crm/leads/view.json?${q({ ...long, show_has_many_records: "all" })}&search_criteria=`],
  ])("is refused in %s, with what to do", async (_, path) => {
    const { status, body } = await service.get(`/${path}`, admin);
    expect([status, body.errors[0]]).toEqual([413, tooLarge]);
  });

  test("is refused in a JSON-RPC call", async () => {
    const call = { jsonrpc: "2.0", id: 1, method: "crm.leads.index", params: { q: JSON.stringify(long) } };
    const { status, body } = await service.post("/crm/leads/index.json", call, admin);
    expect([status, body.result.errors[0]]).toEqual([413, tooLarge]);
  });

  test.each(["csv", "json", "xlsx"])("is exported as %s", async (format) => {
    const { status } = await service.get(
      `/crm/leads/export.json?format=${format}&${q({ fields: long.fields })}`,
      admin,
    );
    expect(status).toBe(200);
  });

  test("of one request does not stand in the way of a smaller one", async () => {
    const few = { fields: ["leads.description"], limit: 20 };
    const { status, body } = await service.get(`/crm/leads/index.json?${q(few)}`, admin);
    expect([status, body.paginate.data.length]).toEqual([200, 20]);
  });
});

/** Runs while nobody can read or write leads. */
async function withLockedLeads<T>(work: () => Promise<T>): Promise<T> {
  return service.db.transaction(async (transaction) => {
    await transaction.run(sql`lock table crm__leads in access exclusive mode`);
    return work();
  });
}

const waiting = async (): Promise<number> => {
  const row = await service.db.row(sql`
    select count(*)::text as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return Number(row?.count);
};

/** Asks and does not wait; gives what ends the connection. */
function ask(path: string, token: string, body?: unknown): { leave(): void; status: Promise<number> } {
  const url = new URL(path, service.url);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sent = httpRequest(url, { method: body === undefined ? "GET" : "POST", headers });
  const status = new Promise<number>((resolve) => {
    sent.on("response", (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", () => resolve(0));
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return { leave: () => sent.destroy(), status };
}

const contains = { op: "contains", value: "a" };
const reads: readonly (readonly [string, string])[] = [
  ["a list", "/crm/leads/index.json"],
  ["a list with conditions", `/crm/leads/index.json?${q({ where: { "leads.name": contains } })}`],
  ["a search", "/crm/leads/index.json?search_basic=lead"],
  ["groups", `/crm/leads/index.json?${q({ group: ["leads.status"] })}`],
  ["a record", "/crm/leads/view.json?id=1"],
  ["an export", "/crm/leads/export.json"],
];

describe("a client that goes away", () => {
  test.each(reads)("has the statement of %s cancelled in the database", async (_, path) => {
    await withLockedLeads(async () => {
      const asked = ask(path, admin);
      await expect.poll(waiting).toBeGreaterThan(0);
      asked.leave();
      await expect.poll(waiting).toBe(0);
    });
    expect((await service.get(path, admin)).status).toBe(200);
  });

  test("does not take along who asks for the same", async () => {
    const path = `/crm/leads/index.json?${q({ group: ["leads.source"] })}`;
    const { second } = await withLockedLeads(async () => {
      const first = ask(path, admin);
      await expect.poll(waiting).toBeGreaterThan(0);
      const asked = ask(path, admin);
      first.leave();
      await first.status;
      return { second: asked.status };
    });
    expect(await second).toBe(200);
  });
});

test("a statement that takes too long is stopped, and its sender told what to do", async () => {
  const hasty = await startService({ STATEMENT_TIMEOUT_SECONDS: "1" }, {
    connection: service.connection,
    db: service.db,
  } as never);
  try {
    await withLockedLeads(async () => {
      for (const [name, path] of reads.filter(([name]) => name !== "an export")) {
        const { status, body } = await hasty.get(path, admin);
        const words = "This took too long and was stopped. Use fewer conditions or columns, or export instead";
        expect([name, status, body.errors[0]]).toEqual([name, 503, words]);
      }
      expect(await waiting()).toBe(0);
    });
  } finally {
    await hasty.stop();
  }
});
