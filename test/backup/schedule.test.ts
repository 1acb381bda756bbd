// Backups by the clock: one process of several makes each, older ones go, and how it went can be seen.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { checkArchive } from "../../server/backup/check-archive.ts";
import { readLastBackups, recordResult } from "../../server/backup/results.ts";
import { createScheduler, type Scheduler } from "../../server/backup/schedule.ts";
import { readConfig } from "../../server/config.ts";
import { FILE_REMOVAL_LOCK } from "../../server/database/locks.ts";
import { sql } from "../../server/database/sql.ts";
import { localStore } from "../../server/files/local-store.ts";
import { type TestDatabase, testDatabase } from "../database.ts";
import { startService } from "../service.ts";

let database: TestDatabase;
let folder: string;
let told: string[];
let hour = 0;

beforeEach(async () => {
  database = await testDatabase("prepared");
  folder = path.join(mkdtempSync(path.join(tmpdir(), "dossier-schedule-")), "backups");
  told = [];
});
afterEach(async () => {
  await database.close();
  rmSync(path.dirname(folder), { recursive: true, force: true });
});

const nextHour = (): Date => {
  hour += 1;
  return new Date(Date.UTC(2026, 0, 1, hour));
};
const scheduler = (): Scheduler => {
  const made = createScheduler({
    schedule: { folder, everySeconds: 7_200, keep: 2 },
    source: { connection: database.connection, files: localStore(folder), secret: undefined },
    log: pino({ level: "silent" }),
    tell: async (failure) => void told.push(failure),
    now: () => nextHour(),
  });
  onTestFinished(() => made.close());
  return made;
};
const later = (seconds: number) =>
  database.db.run(sql`update dossier_backups set began = began - make_interval(secs => ${seconds}::integer)`);
const archives = () => readdirSync(folder).filter((name) => /^dossier-.*\.tar$/.test(name));

test("Of two processes one makes each backup, when it is due, and the newest are kept", async () => {
  const [one, two] = [scheduler(), scheduler()];
  expect((await Promise.all([one.look(), two.look()])).sort()).toEqual(["made", "not due"]);
  await later(7_100);
  expect(await two.look()).toBe("not due");
  writeFileSync(path.join(folder, "a letter.tar"), "not ours");
  const left = path.join(folder, "dossier-2026-01-01T00-00-00Z.tar.part");
  writeFileSync(left, "what a killed process left");
  utimesSync(left, 1, 1);
  const [oldest = ""] = archives();
  for (const remaining of [true, false]) {
    await later(7_200);
    expect(await one.look()).toBe("made");
    expect([archives().length, archives().includes(oldest)]).toEqual([2, remaining]);
  }
  expect(existsSync(left)).toBe(false);
  expect(existsSync(path.join(folder, "a letter.tar"))).toBe(true);
  expect((await checkArchive(path.join(folder, archives().at(-1) ?? ""), () => undefined)).rows).toBeGreaterThan(0);
  expect(await readLastBackups(database.db)).toMatchObject({ succeeded: expect.any(Number), failure: undefined });
});

test("One that fails is told of once, written down each time, and tried again within the hour", async () => {
  writeFileSync(folder, "a file where the folder should be");
  const one = scheduler();
  expect(await one.look()).toBe("failed");
  expect(await one.look()).toBe("not due");
  await later(3_600);
  expect(await one.look()).toBe("failed");
  expect(told).toEqual([expect.stringContaining("The backup failed")]);
  expect((await readLastBackups(database.db)).failure).toContain("The backup failed");
  rmSync(folder);
  await later(3_600);
  expect(await one.look()).toBe("made");
  expect((await readLastBackups(database.db)).failure).toBeUndefined();
});

test("It began when it did, and not half a second later: the next would be late", async () => {
  await recordResult(database.connection, { kind: "scheduled", file: "a", began: 1_000.7, outcome: { failure: "no" } });
  const stored = await database.db.row(
    sql`select extract(epoch from began)::integer::text as began from dossier_backups`,
  );
  expect(stored?.began).toBe("1000");
});

test.each([
  ["reading", sql`lock table access_controls__api_keys in access exclusive mode`],
  ["waiting for files that are being removed", sql`select pg_advisory_xact_lock_shared(${FILE_REMOVAL_LOCK})`],
])("One that is %s when the service ends leaves nothing behind, and is made by the next", async (_, hold) => {
  const one = scheduler();
  await database.db.transaction(async (transaction) => {
    await transaction.run(hold);
    const ended = one.look();
    const waiting = sql`select from pg_locks join pg_stat_activity using (pid)
      where not granted and application_name = 'dossier backup' and datname = current_database()`;
    await expect.poll(() => database.db.rows(waiting)).toHaveLength(1);
    await one.close();
    expect(await ended).toBe("stopped");
  });
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  await expect.poll(() => scheduler().look()).toBe("made");
});

test("A service with BACKUP_DIR makes one, shows it in its metrics, and tells its administrators of one that fails", async () => {
  const metric = async (url: string, name: string) =>
    new RegExp(`^${name} (\\S+)$`, "m").exec(await (await fetch(`${url}/metrics`)).text())?.[1];
  mkdirSync(folder);
  const first = await startService({ BACKUP_DIR: folder, BACKUP_EVERY: "6h" }, database);
  await expect.poll(() => metric(first.url, "dossier_backup_last_success_bytes")).toMatch(/^\d+$/);
  expect(await metric(first.url, "dossier_backup_failing")).toBe("0");
  expect(archives()).toHaveLength(1);
  await first.stop();
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "no folder");
  await later(22_000);
  const second = await startService({ BACKUP_DIR: folder, BACKUP_EVERY: "6h" }, database);
  await expect.poll(() => metric(second.url, "dossier_backup_failing")).toBe("1");
  const token = await second.login();
  await expect
    .poll(async () => JSON.stringify((await second.get("/core/notifications/index.json", token)).body.paginate.data))
    .toContain("The scheduled backup failed");
  const log = await second.get("/access_controls/audit_events/index.json", token);
  expect(JSON.stringify(log.body.paginate.data)).toContain("backup_failed");
  await second.stop();
});

test.each([
  [{ BACKUP_EVERY: "daily" }, /BACKUP_EVERY: must be a number with m, h or d/],
  [{ BACKUP_EVERY: "0h" }, /BACKUP_EVERY/],
  [{ BACKUP_KEEP: "0" }, /BACKUP_KEEP/],
])("A schedule that makes no sense is refused at the start: %o", (given, sentence) => {
  expect(() => readConfig({ BACKUP_DIR: "/backups", ...given })).toThrow(sentence);
});
