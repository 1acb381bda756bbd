// The embedded engine as a service sees it: real processes, real folders.
import { spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Engine, startEngine } from "../../server/database/embedded/engine.ts";
import { isRoot, madeBefore, mainProcessOf, NOBODY, onLinux, query, runningEngine, temporaryFolder } from "./lab.ts";

const folderWithDatabase = madeBefore();

test("starts on an empty folder, answers, and stops without leaving anything but the data", async () => {
  const dataDir = path.join(temporaryFolder(), "made", "by the engine");
  const engine = await runningEngine(dataDir);
  expect(await query(engine, "SELECT current_database() AS name, current_user AS role")).toEqual([
    { name: "dossier", role: "dossier" },
  ]);
  const pid = mainProcessOf(dataDir);
  await engine.stop();
  await engine.stop();
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  expect(statSync(engine.connection.host, { throwIfNoEntry: false })).toBeUndefined();
  expect(readdirSync(dataDir).sort()).toEqual(["postgres", "postgres.log", "secrets"]);
  expect(statSync(path.join(dataDir, "secrets")).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(dataDir, "secrets", "postgres-password")).mode & 0o777).toBe(0o600);
});

test("keeps its data from one start to the next and writes durably", async () => {
  const dataDir = folderWithDatabase();
  const first = await runningEngine(dataDir);
  await query(first, "CREATE TABLE note AS SELECT 'remembered' AS text");
  await first.stop();
  const second = await runningEngine(dataDir, { settings: { max_connections: "25" } });
  expect(await query(second, "SELECT text FROM note")).toEqual([{ text: "remembered" }]);
  const settings = await query(
    second,
    `SELECT name, setting FROM pg_settings WHERE name IN
       ('fsync', 'synchronous_commit', 'full_page_writes', 'max_connections', 'listen_addresses', 'TimeZone') ORDER BY name`,
  );
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    max_connections: "25",
    listen_addresses: "",
    TimeZone: "UTC",
  });
});

describe("while it runs", () => {
  let dataDir: string;
  let engine: Engine;
  beforeAll(async () => {
    dataDir = folderWithDatabase(mkdtempSync(path.join(tmpdir(), "engine-test-")));
    engine = await startEngine({ dataDir, log: () => {} });
  });
  afterAll(async () => {
    await engine.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("knows the letters, collations and extensions that lists and searches need", async () => {
    await query(engine, "CREATE EXTENSION pg_trgm");
    await query(engine, "CREATE EXTENSION btree_gin");
    const [row] = await query(
      engine,
      `SELECT lower('ÄÉЖ') AS lower, cardinality(show_trgm('größe')) AS trigrams,
         (SELECT count(*)::int FROM pg_collation WHERE collname = 'und-x-icu') AS icu,
         (SELECT array_agg(w ORDER BY w COLLATE "und-x-icu") FROM unnest(ARRAY['z', 'ä', 'a']) w) AS sorted`,
    );
    expect(row).toEqual({ lower: "äéж", trigrams: 6, icu: 1, sorted: ["a", "ä", "z"] });
  });

  test("wants the password from everyone who reaches the socket", async () => {
    const wrong = { ...engine, url: engine.url.replace(engine.connection.password, "guess") };
    await expect(query(wrong, "SELECT 1")).rejects.toThrow("password authentication failed");
    const superuser = { ...engine, url: engine.url.replace("dossier:", "postgres:") };
    await expect(query(superuser, "SELECT 1")).rejects.toThrow("no pg_hba.conf entry");
  });

  test.runIf(onLinux)("listens on no network port", async () => {
    const pid = mainProcessOf(dataDir);
    const links = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
    const sockets = links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
    expect(sockets.length).toBeGreaterThan(0);
    for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
      const inodes = readFileSync(table, "utf8")
        .split("\n")
        .map((line) => line.trim().split(/\s+/)[9]);
      expect(inodes.filter((inode) => inode !== undefined && sockets.includes(inode))).toEqual([]);
    }
  });

  test("refuses a second service on the same folder, says whose it is, and leaves the first at work", async () => {
    await expect(startEngine({ dataDir, log: () => {} })).rejects.toThrow(
      new RegExp(
        `^DATA_DIR ${dataDir} is in use by process ${process.pid} \\(started .+\\); stop it or set another DATA_DIR\\.$`,
      ),
    );
    expect(await query(engine, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("keeps the socket in a folder for its owner alone", async () => {
    const { mode } = statSync(engine.connection.host);
    expect(mode & 0o777).toBe(0o700);
    const file = path.join(engine.connection.host, `.s.PGSQL.${engine.connection.port}`);
    await new Promise<void>((resolve, reject) => {
      const socket = net.connect(file, () => resolve(socket.destroy() && undefined));
      socket.once("error", reject);
    });
  });
});

test("takes over the lock of a process that is gone, also when its number is in use again", async () => {
  const dataDir = folderWithDatabase();
  const engine = await runningEngine(dataDir);
  const lock = JSON.parse(readFileSync(path.join(dataDir, "service.lock"), "utf8"));
  await engine.stop();
  writeFileSync(path.join(dataDir, "service.lock"), JSON.stringify({ ...lock, started: "long ago" }));
  await (await runningEngine(dataDir)).stop();
  writeFileSync(path.join(dataDir, "service.lock"), "");
  await (await runningEngine(dataDir)).stop();
});

test("tells a service in another container by its heartbeat", async () => {
  const dataDir = folderWithDatabase();
  const file = path.join(dataDir, "service.lock");
  const lock = { pid: 7, started: "1", since: "yesterday", place: "another container", socketFolder: "/tmp/dossier-0" };
  writeFileSync(file, JSON.stringify(lock));
  const beat = setInterval(() => utimesSync(file, new Date(), new Date()), 200);
  await expect(startEngine({ dataDir, log: () => {} })).rejects.toThrow("is in use by process 7");
  clearInterval(beat);
  utimesSync(file, new Date(), new Date(Date.now() - 60_000));
  await runningEngine(dataDir);
});

test("copes with a data path far longer than a socket path may be", async () => {
  const dataDir = path.join(temporaryFolder(), "a".repeat(80), "b".repeat(80));
  expect(await query(await runningEngine(dataDir), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("clears away a database that was only half made", async () => {
  const dataDir = temporaryFolder();
  for (const name of ["postgres.new", "postgres.new-0123abcd"]) {
    mkdirSync(path.join(dataDir, name, "base"), { recursive: true });
    writeFileSync(path.join(dataDir, name, "PG_VERSION"), "18\n");
  }
  mkdirSync(path.join(dataDir, "postgres"));
  await runningEngine(dataDir);
  expect(readdirSync(dataDir).filter((name) => name.startsWith("postgres.new"))).toEqual([]);
});

test("refuses data of another PostgreSQL version and folders that hold something else", async () => {
  const dataDir = temporaryFolder();
  mkdirSync(path.join(dataDir, "postgres"));
  writeFileSync(path.join(dataDir, "postgres", "PG_VERSION"), "12\n");
  await expect(startEngine({ dataDir, log: () => {} })).rejects.toThrow("was made by PostgreSQL 12");
  rmSync(path.join(dataDir, "postgres", "PG_VERSION"));
  writeFileSync(path.join(dataDir, "postgres", "holiday.jpg"), "");
  await expect(startEngine({ dataDir, log: () => {} })).rejects.toThrow("is not a PostgreSQL data folder");
  expect(readdirSync(dataDir)).toEqual(["postgres"]);
});

test("sets a new password when the kept one is lost, and says what to do when it is wrong", async () => {
  const dataDir = folderWithDatabase();
  const file = path.join(dataDir, "secrets", "postgres-password");
  await (await runningEngine(dataDir)).stop();
  rmSync(file);
  const engine = await runningEngine(dataDir);
  expect(await query(engine, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await engine.stop();
  writeFileSync(file, "0".repeat(64));
  await expect(startEngine({ dataDir, log: () => {} })).rejects.toThrow(`${file} is not the password`);
  rmSync(file);
  await runningEngine(dataDir);
});

test("makes its database again when someone dropped it", async () => {
  const dataDir = folderWithDatabase();
  const engine = await runningEngine(dataDir);
  const elsewhere = { ...engine, url: engine.url.replace("/dossier?", "/postgres?") };
  await query(elsewhere, "DROP DATABASE dossier");
  await engine.stop();
  expect(await query(await runningEngine(dataDir), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test.runIf(onLinux)("is not misled by a postmaster.pid whose number now belongs to another program", async () => {
  const dataDir = folderWithDatabase();
  await (await runningEngine(dataDir)).stop();
  const stranger = spawn("sleep", ["600"], { stdio: "ignore", ...(isRoot ? NOBODY : {}) });
  onTestFinished(() => void stranger.kill("SIGKILL"));
  writeFileSync(
    path.join(dataDir, "postgres", "postmaster.pid"),
    `${stranger.pid}\n/proc/self/cwd\n1700000000\n5432\n/tmp\n\n       0         0\nready   \n`,
  );
  const lines: string[] = [];
  await runningEngine(dataDir, { log: (line) => lines.push(line) });
  expect(lines).toContain("dropped a postmaster.pid whose process number now means another process");
  expect(stranger.exitCode).toBeNull();
});

test("moves a log that has grown large out of the way", async () => {
  const dataDir = folderWithDatabase();
  writeFileSync(path.join(dataDir, "postgres.log"), "x".repeat(6 * 1024 * 1024));
  await runningEngine(dataDir);
  expect(statSync(path.join(dataDir, "postgres.log")).size).toBeLessThan(1024 * 1024);
  expect(statSync(path.join(dataDir, "postgres.log.1")).size).toBe(6 * 1024 * 1024);
});
