// The whole way with tiny data: made, served, asked, compared, written. What it measures means nothing; what it writes does.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openMetadata } from "../server/metadata/store.ts";
import { builtInTypes } from "../server/modules/index.ts";
import { type TestDatabase, testDatabase } from "../test/database.ts";
import { startService, type TestService } from "../test/service.ts";
import { pgbenchVersion } from "./lean/pgbench.ts";
import { keep, measureServed } from "./measure.ts";
import { readOptions } from "./options.ts";
import { fillOrganization } from "./organization/build.ts";
import { callers } from "./organization/people.ts";
import { sections } from "./sections/sections.ts";
import type { Served } from "./serve/serve.ts";

const ROWS = 300;
let folder = "";
let database: TestDatabase;
let service: TestService;
let served: Served;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "dossier-bench-"));
  database = await testDatabase("prepared");
  const snapshot = (await openMetadata(database.db, builtInTypes)).current();
  const universe = await fillOrganization(database.db, snapshot, "1", ROWS, 1);
  service = await startService({}, database);
  const token = async (userName: string) => service.login(userName);
  served = {
    port: Number(new URL(service.url).port),
    pid: process.pid,
    folder,
    connection: database.connection,
    url: "",
    universe,
    tokens: {
      administrator: await token(callers.administrator),
      half: await token(callers.half),
      few: await token(callers.few),
    },
    stop: async () => undefined,
  };
});
afterAll(async () => {
  await service.stop();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const spread = { median: expect.any(Number), low: expect.any(Number), high: expect.any(Number) };
const side = {
  perSecond: spread,
  p50: expect.any(Number),
  p95: expect.any(Number),
  p99: expect.any(Number),
  count: expect.any(Number),
  errors: 0,
};
const compared = pgbenchVersion() === undefined ? {} : { reference: { what: "pgbench", ...side }, ratio: spread };

test("the callers read what they are there to read", async () => {
  const { readers, statuses } = served.universe;
  expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBe(ROWS);
  for (const [name, { readable }] of Object.entries(readers)) {
    const token = served.tokens[name as keyof typeof readers];
    const { body } = await service.get("/crm/leads/index.json?limit=1", token);
    expect(body.paginate.total_count, name).toBe(readable);
  }
  expect(readers.half.readable).toBeGreaterThan(ROWS * 0.3);
  expect(readers.half.readable).toBeLessThan(ROWS * 0.7);
  expect(readers.few.readable).toBeGreaterThan(0);
});

test("a section is measured, compared and reported", async () => {
  const tiny = ["--seconds", "0.2", "--rounds", "1", "--connections", "2", "--out", folder];
  const options = readOptions([...tiny, "--callers", "half", "--writes", "5", "--only", "far pages"]);
  const context = { options, size: "300", served, say: () => undefined };
  const { list } = sections;
  if (!list) throw new Error("there is no section for lists");
  const file = await measureServed(context, "list", list);
  keep(options, file);
  expect(JSON.parse(readFileSync(path.join(folder, "results/list-300.json"), "utf8"))).toMatchObject({
    section: "list",
    size: "300",
    seed: 1,
    rounds: 1,
    connections: 2,
    date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    machine: { node: process.version, cores: expect.any(Number), postgres: expect.any(String) },
    ceiling: { bytes: expect.any(Number), perSecond: expect.any(Number) },
    rows: [
      {
        name: "far pages, random",
        caller: "half",
        service: { ...side, bytes: expect.any(Number) },
        ...compared,
        besideWrites: [{ rate: 5, service: side, ofQuiet: spread, write: side }],
      },
    ],
  });
  expect(file.rows[0]?.service.count).toBeGreaterThan(0);
  const page = readFileSync(path.join(folder, "RESULTS.md"), "utf8");
  expect(page).toContain("## list, 300");
  expect(page).toContain("| far pages, random | half |");
});

test("each section and each caller has a name that the command line takes", () => {
  expect(Object.keys(sections)).toEqual(
    expect.arrayContaining(["list", "records", "write", "search", "groups", "bulk"]),
  );
  expect(() => readOptions(["--callers", "nobody"])).toThrow("--callers must be some of administrator,half,few");
  expect(() => readOptions(["--rounds", "none"])).toThrow("--rounds must be a number above 0");
});
