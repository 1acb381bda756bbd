// Databases as released versions left them, with demo data and what people made of it, brought to this version in one step: everything is there, lists
// and views answer, and the check-up finds nothing. The fixtures are made by `npm run release -- fixture`.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { checkArchive } from "../../server/backup/check-archive.ts";
import { restoreBackup } from "../../server/backup/restore-backup.ts";
import { upgradeCommand } from "../../server/commands/upgrade.ts";
import { readConfig } from "../../server/config.ts";
import { readMigrations } from "../../server/database/migrate.ts";
import { sql } from "../../server/database/sql.ts";
import { checkService } from "../../server/doctor/run-checks.ts";
import { localStore } from "../../server/files/local-store.ts";
import { root } from "../../server/lib/root.ts";
import { programVersion } from "../../server/lib/version.ts";
import { buildSnapshot } from "../../server/metadata/snapshot.ts";
import { builtInTypes } from "../../server/modules/index.ts";
import { describeCatalog } from "../backup/catalog.ts";
import { distributeTables } from "../citus.ts";
import { testConfig } from "../config.ts";
import { testDatabase } from "../database.ts";
import { temporaryFolder } from "../engine/lab.ts";
import { urlOf } from "../engine/real-process.ts";
import { startService } from "../service.ts";
import { type Facts, instrumentsWithRoom, password, stageOf } from "./fill.ts";

const folder = path.join(root, "test/upgrade/fixtures");
const fixtures = readdirSync(folder)
  .filter((name) => name.endsWith(".tar.gz"))
  .map((name) => name.replace(/\.tar\.gz$/, ""));

test("Every released version has its fixture, this one too", () => {
  const changelog = readFileSync(path.join(root, "CHANGELOG.md"), "utf8");
  const released = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gmu)].map(([, version = ""]) => version);
  expect(fixtures).toEqual(expect.arrayContaining([...released, programVersion]));
});

/** Our tables as PostgreSQL knows them, without those that people designed. */
const ours = (catalog: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(catalog).map(([kind, lines]) => [kind, lines.filter((line) => !line.includes("lab__"))]),
  );

describe.each(fixtures)("A database of %s", (name) => {
  test("comes to this version in one step with everything in it", async () => {
    const facts = JSON.parse(readFileSync(path.join(folder, `${name}.json`), "utf8")) as Facts;
    const dataDir = temporaryFolder();
    const archive = path.join(dataDir, "fixture.tar");
    writeFileSync(archive, gunzipSync(readFileSync(path.join(folder, `${name}.tar.gz`))));
    const database = await testDatabase("joined");
    onTestFinished(() => database.close());
    const migrations = await readMigrations();
    const target = { connection: database.connection, files: localStore(path.join(dataDir, "files")) };
    await restoreBackup(target, archive, { replace: false, migrations });
    // On a Citus cluster: a released version's, distributed before the upgrade.
    if (inject("workers").length > 0 && /^\d+\.\d+\.\d+$/u.test(name))
      await distributeTables(database.db, buildSnapshot(builtInTypes, [], "0").types.values());

    const lines: string[] = [];
    const to = { out: (line: string) => void lines.push(line), progress: { write: () => true } };
    const settings = { DATABASE_URL: urlOf(database.connection), DATA_DIR: dataDir };
    expect(await upgradeCommand(readConfig(settings), [], to)).toBe(0);
    expect(lines.at(-1)).toBe("The database is up to date.");
    const had = new Set((await checkArchive(archive, () => undefined)).about.migrations.map(({ number }) => number));
    const missing = migrations.filter(({ number }) => !had.has(number)).map((migration) => migration.name);
    expect(lines.flatMap((line) => /\S+\.sql/.exec(line) ?? [])).toEqual(missing);

    // The bin keeps what was removed for 30 days, whenever this test is run.
    const bin = await database.db.row(sql`select to_regclass('metadata__removed')::text as name`);
    if (bin?.name) await database.db.run(sql`update metadata__removed set removed = now() at time zone 'utc'`);
    const service = await startService({ DATA_DIR: dataDir }, database);
    onTestFinished(() => service.stop());
    const token = await service.login("admin", password);
    const read = async (address: string) => {
      const { status, body } = await service.get(address, token);
      expect([address, status, body.errors]).toEqual([address, 200, []]);
      return body;
    };
    for (const [key, count] of Object.entries(facts.counts)) {
      const { paginate } = await read(`/${key}/index.json?limit=1&track_open=0`);
      // Views are shipped with every version.
      if (key === "core/listviews") expect(paginate.total_count).toBeGreaterThanOrEqual(count);
      else expect([key, paginate.total_count]).toEqual([key, count]);
    }
    const views = await database.db.rows(sql`
      select id::text as id, controller from core__listviews where organization_id = 1 and deleted = 0`);
    for (const { id, controller } of views)
      await read(`/${controller}/index.json?current_listview=${id}&limit=2&track_open=0`);

    const { paginate } = await read("/lab/instruments/index.json?limit=50&track_open=0");
    const instruments: Record<string, unknown> = {};
    for (const row of paginate.data) {
      const {
        name: called,
        price,
        bought,
        kind,
        company_id,
        shelf,
        manual,
      } = (await read(`/lab/instruments/view.json?id=${row["instruments.id"]}`)).data.instruments;
      instruments[called] = { price, bought, kind, company_id, shelf, manual: manual?.name ?? null };
    }
    expect(instruments).toEqual(facts.instruments);
    const found = await read(`/lab/instruments/index.json?search_basic=${encodeURIComponent("grossenmesser")}`);
    expect(found.paginate.data).toMatchObject([{ "instruments.name": "Größenmesser" }]);
    const aside = await database.db.rows(sql`
      select field, value from metadata__discarded_values where record_type = 'lab/instruments' order by field, value`);
    const kept = (name: string) => aside.flatMap(({ field, value }) => (field === name ? [value] : []));
    expect(kept("shelf")).toEqual(["0", "1", "2"]);
    const rooms = ["R0", "R1", "R2", "R9"];
    const removed = await read("/metadata/record_types/removed.json?key=lab/instruments");
    // A removed field comes back from the bin, with its values. What was removed before there was a bin is put aside.
    if (removed.data.removed.length === 0) expect(kept("room")).toEqual(rooms);
    else {
      const sent = { definition: instrumentsWithRoom, restore: "room" };
      expect((await service.post("/metadata/record_types/save.json", sent, token)).body.errors).toEqual([]);
      const q = encodeURIComponent(JSON.stringify({ fields: ["instruments.room"] }));
      const { paginate: back } = await read(`/lab/instruments/index.json?q=${q}&sort=instruments.room&track_open=0`);
      expect(back.data.map((row: Record<string, unknown>) => row["instruments.room"])).toEqual(rooms);
    }
    const manual = await service.get(`/lab/instruments/download?id=${facts.file.id}`, token);
    expect(manual.body).toBe(facts.file.text);

    const lead = await read(`/crm/leads/view.json?id=${facts.lead.id}`);
    expect(stageOf(lead)).toBe(facts.lead.stage);
    const comments = await read(`/core/comments/index.json?limit=1&sort=comments.id&dir=DESC`);
    expect(comments.paginate.data[0].record_display_name).toContain(facts.lead.comment);
    const added = { leads: { last_name: "After the upgrade" }, action: { save_progress: "Save" } };
    expect((await service.post("/crm/leads/add.json", { data: added }, token)).body.errors).toEqual([]);

    const subjects = ["Schema", "Extensions", "Processes", "Indexes", "Tables", "Bloat", "Queues"];
    const findings = await checkService(database.db, testConfig(dataDir));
    expect(findings.filter(({ about, level }) => subjects.includes(about) && level !== "fine")).toEqual([]);

    const fresh = await testDatabase("prepared");
    onTestFinished(() => fresh.close());
    // What an older version had beside it may stay; what a new database has must be there, alike.
    const [upgraded, made] = [ours(await describeCatalog(database.db)), ours(await describeCatalog(fresh.db))];
    for (const kind of ["columns", "constraints", "indexes", "functions", "triggers"])
      expect([kind, made[kind]?.filter((line) => !upgraded[kind]?.includes(line))]).toEqual([kind, []]);
  });
});
