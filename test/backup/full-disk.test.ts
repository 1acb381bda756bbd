// A disk that fills up in the middle of a backup: one sentence, nothing half written, and the older backups stay.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statfsSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { checkArchive } from "../../server/backup/check-archive.ts";
import { readLastBackups } from "../../server/backup/results.ts";
import { createScheduler } from "../../server/backup/schedule.ts";
import { backupCommand } from "../../server/commands/backup.ts";
import { sql } from "../../server/database/sql.ts";
import { localStore } from "../../server/files/local-store.ts";
import { testConfig } from "../config.ts";
import { type TestDatabase, testDatabase } from "../database.ts";
import { isRoot, onLinux, temporaryFolder } from "../engine/lab.ts";
import { urlOf } from "../engine/real-process.ts";

async function prepared(): Promise<TestDatabase> {
  const database = await testDatabase("prepared");
  onTestFinished(() => database.close());
  return database;
}

test.runIf(onLinux)("By hand: the command says so, and leaves nothing behind", async () => {
  const [database, folder] = [await prepared(), temporaryFolder()];
  const file = path.join(folder, "new.tar");
  writeFileSync(path.join(folder, "old.tar"), "an older backup");
  // Linux has a device on which every write finds the disk full.
  symlinkSync("/dev/full", `${file}.part`);
  const config = testConfig(folder, { DATABASE_URL: urlOf(database.connection) });
  const to = { out: () => undefined, progress: { write: () => true } };
  await expect(backupCommand(config, [file], to)).rejects.toThrow(
    `${file} was not written: there is no space left on the disk. Free some space or choose another place.`,
  );
  expect(readdirSync(folder)).toEqual(["old.tar"]);
  expect((await readLastBackups(database.db)).failure).toContain("there is no space left on the disk");
});

/** A small disk of its own, where that is allowed. */
function smallDisk(): string | undefined {
  const folder = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "dossier-test", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync("umount", [folder]));
  return folder;
}

test.runIf(onLinux && isRoot)(
  "By the clock: the older one stays whole, and the next is made once there is room",
  async (context) => {
    const disk = smallDisk();
    if (disk === undefined) return context.skip("this machine does not let root mount a disk");
    const database = await prepared();
    const folder = path.join(disk, "backups");
    mkdirSync(folder);
    let hour = 0;
    const scheduler = createScheduler({
      schedule: { folder, everySeconds: 3_600, keep: 3 },
      source: { connection: database.connection, files: localStore(temporaryFolder()), secret: undefined },
      log: pino({ level: "silent" }),
      tell: async () => undefined,
      now: () => {
        hour += 1;
        return new Date(Date.UTC(2026, 0, 1, hour));
      },
    });
    onTestFinished(() => scheduler.close());
    const later = () => database.db.run(sql`update dossier_backups set began = began - interval '2 hours'`);
    expect(await scheduler.look()).toBe("made");
    const [first = ""] = readdirSync(folder);
    await later();
    const ballast = path.join(disk, "ballast");
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - 64 * 1024));
    expect(await scheduler.look()).toBe("failed");
    expect((await readLastBackups(database.db)).failure).toContain("there is no space left on the disk");
    expect(readdirSync(folder)).toEqual([first]);
    expect((await checkArchive(path.join(folder, first), () => undefined)).rows).toBeGreaterThan(0);
    rmSync(ballast);
    await later();
    expect(await scheduler.look()).toBe("made");
    expect(readdirSync(folder)).toHaveLength(2);
  },
);
