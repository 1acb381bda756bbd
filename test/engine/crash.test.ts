// kill -9 of everything there is to kill: nothing acknowledged may be lost, and nobody may have to help.
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { runs } from "../runs.ts";
import {
  childrenOf,
  eventually,
  lastAck,
  madeBefore,
  mainProcessOf,
  onLinux,
  parentOf,
  query,
  runningEngine,
  startService,
  temporaryFolder,
} from "./lab.ts";

const folderWithDatabase = madeBefore();

test("loses nothing acknowledged in many rounds of kill -9 of the service", async () => {
  const dataDir = folderWithDatabase();
  let acknowledged = 0;
  for (let round = 1; round <= runs(4); round += 1) {
    const service = startService(dataDir);
    const [count, last] = (await service.next("kept")).split(" ").map(Number);
    expect(last).toBeGreaterThanOrEqual(acknowledged);
    expect(count).toBe(last);
    for (let writes = 0; writes < 5 + round * 7; writes += 1) await service.next("ack");
    await service.end("SIGKILL");
    acknowledged = await lastAck(service, acknowledged);
  }
  const engine = await runningEngine(dataDir);
  const [row] = await query(engine, "SELECT count(*)::int AS count, max(id) AS last FROM kept");
  expect(row?.count).toBe(row?.last);
  expect(row?.last).toBeGreaterThanOrEqual(acknowledged);
});

test("recovers from a kill -9 at any moment of its first start", async () => {
  for (const moment of [600, 1200, 350, 850].slice(0, runs(2))) {
    const dataDir = path.join(temporaryFolder(), "data");
    const service = startService(dataDir);
    await delay(moment);
    await service.end("SIGKILL");
    const engine = await runningEngine(dataDir);
    expect(await query(engine, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await engine.stop();
  }
});

test("stops with the service when it is killed, and when it is asked to stop", async () => {
  const dataDir = folderWithDatabase();
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    const service = startService(dataDir);
    await service.next("ack");
    const server = mainProcessOf(dataDir);
    await service.end(signal);
    await eventually(async () => expect(() => process.kill(server, 0)).toThrow("ESRCH"));
  }
});

test("refuses a service while another process is at work, and starts once that one is killed", async () => {
  const dataDir = folderWithDatabase();
  const first = startService(dataDir);
  await first.next("ack");
  const second = startService(dataDir);
  expect(await second.next("failed")).toContain(`is in use by process ${first.process.pid} `);
  await first.next("ack");
  await first.end("SIGKILL");
  await startService(dataDir).next("ack");
});

test.runIf(onLinux)("ends a server that outlived its service and its lifeline, then starts on its data", async () => {
  const dataDir = folderWithDatabase();
  const service = startService(dataDir);
  await service.next("ack");
  const { socketFolder } = JSON.parse(readFileSync(path.join(dataDir, "service.lock"), "utf8"));
  expect(existsSync(socketFolder)).toBe(true);
  const orphan = mainProcessOf(dataDir);
  const shell = parentOf(orphan);
  const watchers = childrenOf(shell).filter((pid) => pid !== orphan);
  expect(watchers).toHaveLength(1);
  // Stopped first, so that the service cannot start a new server when it loses the lifeline.
  service.process.kill("SIGSTOP");
  for (const pid of [...watchers, shell]) process.kill(pid, "SIGKILL");
  await service.end("SIGKILL");
  const acknowledged = await lastAck(service, 0);
  expect(() => process.kill(orphan, 0)).not.toThrow();
  const lines: string[] = [];
  const engine = await runningEngine(dataDir, { log: (line) => lines.push(line) });
  expect(lines.join()).toMatch(/ended \d+ processes of a PostgreSQL whose service had died/);
  expect(existsSync(socketFolder)).toBe(false);
  const [row] = await query(engine, "SELECT max(id) AS last FROM kept");
  expect(row?.last).toBeGreaterThanOrEqual(acknowledged);
});

const victims: [string, (dataDir: string) => number][] = [
  ["main process of the server", mainProcessOf],
  ["shell that holds the lifeline", (dataDir) => parentOf(mainProcessOf(dataDir))],
];
for (const [name, find] of victims) {
  test.runIf(onLinux)(`works again by itself after kill -9 of the ${name}`, async () => {
    const dataDir = folderWithDatabase();
    let restarts = 0;
    const engine = await runningEngine(dataDir, { onRestart: () => (restarts += 1) });
    await query(engine, "CREATE TABLE kept (id int)");
    for (let round = 1; round <= runs(2); round += 1) {
      const victim = mainProcessOf(dataDir);
      // A backend that computes does not notice the death of its parent by itself.
      const busy = query(engine, "SELECT count(*) FROM generate_series(1, 1e11::bigint)").catch(() => "broken");
      await query(engine, `INSERT INTO kept VALUES (${round})`);
      process.kill(find(dataDir), "SIGKILL");
      expect(await busy).toBe("broken");
      await eventually(async () => expect(restarts).toBe(round));
      expect(mainProcessOf(dataDir)).not.toBe(victim);
      expect(await query(engine, "SELECT count(*)::int AS count FROM kept")).toEqual([{ count: round }]);
    }
  });
}

test("works again by itself after kill -9 of a backend", async () => {
  const engine = await runningEngine(folderWithDatabase());
  const client = new pg.Client(engine.url);
  const broken = new Promise<void>((resolve) => void client.once("error", () => resolve()));
  await client.connect();
  await client.query("CREATE TABLE kept AS SELECT 1 AS id");
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
  process.kill(rows[0].pid, "SIGKILL");
  await broken;
  expect(await eventually(() => query(engine, "SELECT id FROM kept"))).toEqual([{ id: 1 }]);
});

test("stops cleanly while it is being restarted", async () => {
  const dataDir = folderWithDatabase();
  const engine = await runningEngine(dataDir);
  process.kill(mainProcessOf(dataDir), "SIGKILL");
  await delay(20);
  await engine.stop();
  await runningEngine(dataDir);
});

test("leaves nothing in the temporary folder, neither killed nor stopped", async () => {
  const dataDir = folderWithDatabase();
  const temporary = temporaryFolder();
  chmodSync(temporary, 0o1777);
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    const service = startService(dataDir, { temporary });
    await service.next("ack");
    expect(readdirSync(temporary)).toHaveLength(1);
    await service.end(signal);
    await eventually(async () => expect(readdirSync(temporary)).toEqual([]));
  }
});
