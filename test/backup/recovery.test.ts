// Point-in-time recovery as docs/operating.md tells it: a base backup and an archive of the log bring back any moment in between, and
// the service goes on from there.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { type Database, openDatabase } from "../../server/database/database.ts";
import { noticeOtherHistory } from "../../server/database/events/other-history.ts";
import { currentHead, publishEvents } from "../../server/database/events/publish-events.ts";
import { sql } from "../../server/database/sql.ts";
import { prepareDatabase } from "../../server/prepare.ts";
import { runningEngine, temporaryFolder } from "../engine/lab.ts";

/** In a data folder of its own: its postgres/ is what an outside server would have. */
async function withDatabase<T>(connection: pg.ClientConfig, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(connection, { connections: 2 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

const write = (db: Database, name: string) =>
  db.run(sql`insert into dossier_state (name, value) values (${name}, 'kept')`);

test("A moment between two saves is brought back: the first is there, the second is not", async () => {
  const folder = temporaryFolder();
  const [first, second, archive] = ["first", "second", "archive"].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(archive);
  // The server runs as another account where the suite runs as root.
  chmodSync(folder, 0o755);
  chmodSync(archive, 0o777);
  const rules = path.join(folder, "pg_hba.conf");
  writeFileSync(rules, "local all all trust\n", { mode: 0o644 });
  const quick = { hba_file: rules, fsync: "off" };
  const archiving = { wal_level: "replica", archive_mode: "on", archive_command: `cp %p ${archive}/%f` };
  const primary = await runningEngine(first, { settings: { ...quick, ...archiving } });
  const era = await withDatabase(primary.connection, async (db) => {
    await prepareDatabase(db);
    expect([await noticeOtherHistory(db), await noticeOtherHistory(db)]).toEqual([false, false]);
    return (await publishEvents(db, "1")).era;
  });

  const owner = new pg.Client({ ...primary.connection, user: "postgres" });
  await owner.connect();
  await owner.query("select pg_backup_start('base', true)");
  execFileSync("cp", ["-a", first, second]);
  const { rows } = await owner.query<{ labelfile: string }>("select labelfile from pg_backup_stop()");
  rmSync(path.join(second, "service.lock"));
  const data = path.join(second, "postgres");
  for (const left of ["postmaster.pid", "postmaster.opts", "pg_wal"])
    rmSync(path.join(data, left), { recursive: true, force: true });
  execFileSync("cp", ["-a", "--attributes-only", path.join(first, "postgres", "pg_wal"), data]);
  for (const [name, text] of [
    ["backup_label", rows[0]?.labelfile ?? ""],
    ["recovery.signal", ""],
  ] as const) {
    writeFileSync(path.join(data, name), text);
    chmodSync(path.join(data, name), 0o666);
  }

  const moment = await withDatabase(primary.connection, async (db) => {
    await write(db, "before");
    const at = await db.row(sql`select clock_timestamp()::text as at`);
    await write(db, "after");
    return at?.at ?? "";
  });
  const { rows: ended } = await owner.query<{ file: string }>("select pg_walfile_name(pg_switch_wal()) as file");
  const archived = async () =>
    (await owner.query<{ name: string }>("select coalesce(last_archived_wal, '') as name from pg_stat_archiver"))
      .rows[0]?.name ?? "";
  await expect.poll(async () => (await archived()) >= (ended[0]?.file ?? "~"), { timeout: 60_000 }).toBe(true);
  await owner.end();
  await primary.stop();

  const recovery = {
    recovery_target_time: moment,
    recovery_target_action: "promote",
    restore_command: `cp ${archive}/%f %p`,
  };
  const recovered = await runningEngine(second, { settings: { ...quick, ...recovery } });
  await withDatabase(recovered.connection, async (db) => {
    await expect
      .poll(async () => (await db.row(sql`select pg_is_in_recovery()::text as still`))?.still, { timeout: 60_000 })
      .toBe("false");
    const kept = await db.rows(sql`select name from dossier_state where value = 'kept'`);
    expect(kept).toEqual([{ name: "before" }]);
    const steps: string[] = [];
    await prepareDatabase(db, ({ what }) => void steps.push(what));
    expect(steps).toEqual(["shared data, views and access"]);
    await write(db, "goes on");
    // Cursors from before mean nothing here: the changes behind them are others.
    expect((await currentHead(db, "1")).era).toBe(era);
    expect([await noticeOtherHistory(db), await noticeOtherHistory(db)]).toEqual([true, false]);
    expect((await currentHead(db, "1")).era).not.toBe(era);
  });
});
