// A service with a streaming standby: what is read there, and that nobody is ever shown less than was saved.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../server/database/database.ts";
import { type Engine, startEngine } from "../../server/database/embedded/engine.ts";
import { openReplicas } from "../../server/database/processes/replicas.ts";
import { sql } from "../../server/database/sql.ts";
import { testAdministrator } from "../global-setup.ts";
import { startService, type TestService } from "../service.ts";

const LEADS = "/crm/leads";
let folder = "";
let primary: Engine;
let standby: Engine;
let service: TestService;
let token = "";

/** As the owner of the whole server, who alone may hold a standby back. */
const onStandby = async (text: string): Promise<void> => {
  const client = new pg.Client({ ...standby.connection, user: "postgres" });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
};

const reads = async (outcome: string): Promise<number> => {
  const { body } = await service.get("/metrics");
  return Number(new RegExp(`^dossier_replica_reads_total\\{outcome="${outcome}"\\} (\\d+)$`, "mu").exec(body)?.[1]);
};

/** By itself, a standby has everything a moment later. */
const untilReadThere = async (read: () => Promise<unknown>): Promise<void> => {
  const before = await reads("standby");
  await expect
    .poll(async () => {
      await read();
      return reads("standby");
    })
    .toBeGreaterThan(before);
};

const add = async (lastName: string): Promise<void> => {
  const data = { leads: { last_name: lastName, status: "new" }, action: { save_continue: "Save" } };
  expect((await service.post(`${LEADS}/add.json`, { data }, token)).status).toBe(200);
};

const q = (query: unknown): string => encodeURIComponent(JSON.stringify(query));
const ways: readonly (readonly [string, (word: string) => Promise<number>])[] = [
  [
    "a list",
    async (word) => {
      const { body } = await service.get(
        `${LEADS}/index.json?q=${q({ fields: ["leads.last_name"], where: { "leads.last_name": word } })}`,
        token,
      );
      return body.paginate.data.length;
    },
  ],
  [
    "a search",
    async (word) => (await service.get(`${LEADS}/index.json?search_basic=${word}`, token)).body.paginate.data.length,
  ],
  [
    "groups",
    async (word) => {
      // Another name each time, so that none is kept; and a maximum, which is not renewed by what changed.
      const fields = ["leads.last_name", `max(leads.score) as n${Math.random().toString(36).slice(2, 8)}`];
      const query = { fields, group: ["leads.last_name"], where: { "leads.last_name": word } };
      return (await service.get(`${LEADS}/index.json?q=${q(query)}`, token)).body.paginate.data.length;
    },
  ],
  [
    "an export",
    async (word) => {
      const { body } = await service.get(`${LEADS}/export.json?format=json&search_basic=${word}`, token);
      return body.data.length;
    },
  ],
];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "replica-test-"));
  const rules = path.join(folder, "pg_hba.conf");
  writeFileSync(rules, "local all all trust\nlocal replication all trust\n", { mode: 0o644 });
  execFileSync("chmod", ["755", folder]);
  const [first, second] = [path.join(folder, "primary"), path.join(folder, "standby")];
  const quick = { hba_file: rules, fsync: "off" };
  await (await startEngine({ dataDir: first, log: () => {}, settings: quick })).stop();
  execFileSync("cp", ["-a", first, second]);
  writeFileSync(path.join(second, "postgres", "standby.signal"), "", { mode: 0o644 });
  primary = await startEngine({ dataDir: first, log: () => {}, settings: quick });
  const { host, port } = primary.connection;
  const from = `host=${host} port=${port} user=postgres`;
  standby = await startEngine({ dataDir: second, log: () => {}, settings: { ...quick, primary_conninfo: from } });
  const db = openDatabase(primary.connection);
  const close = () => db.close();
  const environment = {
    ADMIN_USER_NAME: testAdministrator.userName,
    ADMIN_PASSWORD: testAdministrator.password,
    DATABASE_REPLICA_URLS: standby.url,
  };
  service = await startService(environment, { connection: primary.connection, db, close });
  token = await service.login();
});

afterAll(async () => {
  await service?.stop();
  await service?.db.close();
  await standby?.stop();
  await primary?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.each(ways)("%s is read on a standby that has everything", async (_, count) => {
  const word = `Ashby${Math.random().toString(36).slice(2, 10)}`;
  await add(word);
  await untilReadThere(() => count(word));
  expect(await count(word)).toBe(1);
});

test.each(ways)("%s is never older than what was saved, however far a standby is behind", async (_, count) => {
  const word = `Birch${Math.random().toString(36).slice(2, 10)}`;
  await untilReadThere(() => count(word));
  await onStandby("select pg_wal_replay_pause()");
  try {
    const before = await reads("behind");
    await add(word);
    expect(await count(word)).toBe(1);
    expect(await reads("behind")).toBeGreaterThan(before);
  } finally {
    await onStandby("select pg_wal_replay_resume()");
  }
  await untilReadThere(() => count(word));
});

test("every save is in the list that its writer asks for next, whoever answers", async () => {
  const [, count] = ways[0] ?? [];
  for (let turn = 0; turn < 40; turn += 1) {
    const word = `Cedar${turn}x${Math.random().toString(36).slice(2, 8)}`;
    await add(word);
    expect(await count?.(word)).toBe(1);
  }
  expect((await reads("standby")) + (await reads("behind"))).toBeGreaterThanOrEqual(40);
});

test.each(["/core/jobs", "/access_controls/sessions", "/access_controls/users"])(
  "%s, which the service itself writes, are read where they are written",
  async (path) => {
    await untilReadThere(() => service.get(`${LEADS}/index.json`, token));
    const before = await reads("standby");
    expect((await service.get(`${path}/index.json`, token)).status).toBe(200);
    expect(await reads("standby")).toBe(before);
  },
);

test("a database that is no standby is not read from, and the log says why", async () => {
  const lines: string[] = [];
  const db = openDatabase(primary.connection);
  const replicas = openReplicas(db, [{ connectionString: primary.url }], {
    statementMs: 5_000,
    log: (line) => lines.push(line),
  });
  try {
    await expect.poll(() => lines.join()).toMatch(/not used for now: it is not a standby/u);
    expect(await replicas.read([], async (from) => from === db)).toBe(true);
    expect(lines.join()).not.toContain(primary.connection.password);
  } finally {
    await replicas.close();
    await db.close();
  }
});

test("a standby that was made a primary, or is gone, is left alone", async () => {
  const [, count] = ways[0] ?? [];
  const word = `Dogwood${Math.random().toString(36).slice(2, 10)}`;
  await untilReadThere(() => service.get(`${LEADS}/index.json`, token));
  await onStandby("select pg_promote()");
  await add(word);
  expect(await count?.(word)).toBe(1);
  const other = openDatabase(standby.connection);
  // It goes its own way from now on.
  await other.run(sql`update crm__leads set last_name = 'Elsewhere'`);
  await other.close();
  const unusable = await reads("unusable");
  expect(await count?.(word)).toBe(1);
  expect(await count?.("Elsewhere")).toBe(0);
  expect(await reads("unusable")).toBeGreaterThan(unusable);
  await standby.stop();
  expect(await count?.(word)).toBe(1);
});
