// Large answers: a client that does not read is disconnected and holds nothing any more, and a crowd that asks for all it can
// get does not make the process grow.
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { heldBytes } from "../../../server/database/scope.ts";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addRows, describeAtLength } from "../people.ts";

let service: TestService;
let admin: string;

const SAVE = { save_progress: "Save" };
const MEBIBYTE = 1024 * 1024;

beforeAll(async () => {
  service = await startService({ READER_TIMEOUT_SECONDS: "3" });
  admin = await service.login();
  await addRows(
    service,
    "crm/leads",
    Array.from({ length: 40 }, (_, at) => ({ last_name: `Lead ${at}` })),
  );
  await describeAtLength(service, "crm__leads", sql`repeat(md5(id::text), 30000)`);
});
afterAll(() => service.stop());

const list = (limit: number) =>
  `/crm/leads/index.json?q=${encodeURIComponent(JSON.stringify({ fields: ["leads.description"], limit }))}`;

const gauge = async (name: string): Promise<number> => {
  const { body } = await service.get("/metrics");
  return Number(new RegExp(`^${name} (\\S+)`, "m").exec(body)?.[1]);
};

/** Asks over a connection that takes no more than the kernel does by itself. */
function askAndNeverRead(path: string, headers = ""): Socket {
  const { port, hostname } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${admin}\r\n${headers}\r\n`);
  return socket;
}

test.each([
  ["a list", list(20)],
  ["an export", list(20).replace("/index.json?", "/export.json?format=json&")],
])("a client that does not read %s is disconnected, and nothing is held for it", async (_, path) => {
  const sockets = [1, 2, 3].map(() => askAndNeverRead(path));
  // This question itself is one.
  await expect.poll(() => gauge("dossier_requests_running")).toBeGreaterThan(1);
  await expect.poll(() => gauge("dossier_requests_running")).toBe(1);
  expect(await gauge("dossier_held_bytes")).toBe(0);
  expect((await service.get(list(20), admin)).body.paginate.data).toHaveLength(20);
  for (const socket of sockets) socket.destroy();
});

test("a listener that never reads is disconnected, and nothing is held for it", async () => {
  const { cursor } = (await service.get("/core/changes/index.json", admin)).body;
  const before = await gauge("process_resident_memory_bytes");
  const path = `/core/changes/index.json?after=${cursor}`;
  const socket = askAndNeverRead(path, "accept: text/event-stream\r\n");
  await expect.poll(() => gauge("dossier_requests_running")).toBeGreaterThan(1);
  // More than what lies between two programs holds: each change tells the long text that was there.
  for (let id = 1; id <= 20; id += 1) {
    const leads = { id: String(id), status: "new", description: "Short" };
    const { body } = await service.post(`/crm/leads/edit.json?id=${id}`, { data: { leads, action: SAVE } }, admin);
    expect(body.errors).toEqual([]);
  }
  await expect.poll(() => gauge("dossier_requests_running")).toBe(1);
  await expect.poll(() => gauge("dossier_held_bytes")).toBe(0);
  expect((await gauge("process_resident_memory_bytes")) - before).toBeLessThan(256 * MEBIBYTE);
  // It goes on where it was, as whoever reads.
  const told: string[] = [];
  for (let at = cursor, more = 1; more === 1; ) {
    const { body } = await service.get(`/core/changes/index.json?after=${at}&limit=1000`, admin);
    // A few megabytes to a page.
    expect(body.data.changes.length).toBeLessThan(10);
    told.push(...body.data.changes.map(({ id }: { id: string }) => id));
    ({ cursor: at, more } = body);
  }
  expect(told).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 1)));
  socket.destroy();
});

test("a client that reads slowly, but reads, gets the whole answer", async () => {
  const response = await fetch(service.url + list(20), { headers: { authorization: `Bearer ${admin}` } });
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(bytes).toBeGreaterThan(18 * MEBIBYTE);
});

test("a crowd that asks for all it can get is bounded in what it makes the process hold", async () => {
  const before = process.memoryUsage.rss();
  let most = 0;
  let mostHeld = 0;
  // The service runs in this process: to ask it would be most of the work.
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
    mostHeld = Math.max(mostHeld, heldBytes());
  }, 1);
  const statuses = await Promise.all(
    // Almost twice as much as may be held at once; to compress all of it would be most of the work.
    Array.from({ length: 16 }, async (_, at) => {
      const headers = { authorization: `Bearer ${admin}`, "accept-encoding": at < 4 ? "gzip" : "identity" };
      const response = await fetch(service.url + list(at % 4 === 3 ? -1 : 20), { headers });
      await response.body?.cancel();
      return response.status;
    }),
  );
  clearInterval(watching);
  expect(statuses.filter((status) => ![200, 413, 429, 503].includes(status))).toEqual([]);
  expect(mostHeld).toBeGreaterThan(0);
  expect(mostHeld).toBeLessThanOrEqual(128 * MEBIBYTE);
  expect(most - before).toBeLessThan(1024 * MEBIBYTE);
});
