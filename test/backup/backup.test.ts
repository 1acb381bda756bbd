// A backup of a service in use, and a service on what was restored from it: everything that was acknowledged before the
// backup began is there, nothing that came after it, and every answer is the same.
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Contents } from "../../server/backup/archive.ts";
import { makeBackup } from "../../server/backup/make-backup.ts";
import { restoreBackup } from "../../server/backup/restore-backup.ts";
import { readMigrations } from "../../server/database/migrate.ts";
import { sql } from "../../server/database/sql.ts";
import { localStore } from "../../server/files/local-store.ts";
import { sweepFiles } from "../../server/files/orphaned-files.ts";
import { type TestDatabase, testDatabase } from "../database.ts";
import { startService, type TestService } from "../service.ts";
import { until } from "../until.ts";
import { describeCatalog } from "./catalog.ts";

const folder = mkdtempSync(path.join(tmpdir(), "dossier-backup-"));
const archive = path.join(folder, "backup.tar");
const paper = (more: object = {}) => ({
  definition: JSON.stringify({
    module: "lab",
    controller: "papers",
    label: "Paper",
    plural: "Papers",
    displayField: "title",
    fields: [
      { name: "title", type: "short-text", required: true, searchable: true },
      { name: "scan", type: "file" },
    ],
    access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
    ...more,
  }),
});

let service: TestService;
let token: string;
let second: TestDatabase;
let restored: TestService;
let contents: Contents;
let before: unknown[];
let etag: string;
const [old, during]: [string[], string[]] = [[], []];

const addLead = async (name: string): Promise<string> => {
  const leads = { last_name: name, description: "Tabs\tand\r\nlines\\" };
  const { body } = await service.post(
    "/crm/leads/add.json",
    { data: { leads, action: { save_progress: "Save" } } },
    token,
  );
  expect(body.errors).toEqual([]);
  return String(body.id);
};

const addPaper = async (title: string, content: string): Promise<string> => {
  const form = new FormData();
  form.append("data[papers][title]", title);
  form.append("data[papers][scan]", new Blob([content]), "scan.txt");
  form.append("data[action][save_progress]", "Save");
  const { body } = await service.post("/lab/papers/add.json", form, token);
  expect(body.errors).toEqual([]);
  return String(body.id);
};

const rotten = "Strange \\N \\. “values” \\t \u{1F600}";
let keptPaper: string;
let purgedPaper: string;

/** As a client would read it, of a service that nobody writes to. */
const answers = (from: TestService) =>
  Promise.all(
    [
      "/crm/leads/index.json",
      "/crm/leads/index.json?search_basic=strange",
      `/crm/leads/index.json?q=${encodeURIComponent(JSON.stringify({ group: ["leads.status"] }))}`,
      `/crm/leads/view.json?id=${old[0]}`,
      `/crm/leads/revisions.json?id=${old[0]}`,
      "/lab/papers/index.json",
      `/lab/papers/view.json?id=${keptPaper}`,
      `/lab/papers/download?id=${purgedPaper}&field=scan`,
      "/metadata/schema/index.json?search_controller=lab/papers",
      "/access_controls/users/index.json",
      "/core/workflows/index.json",
      "/development_base/menus/app_menu.json",
    ].map(async (address) => {
      const { status, body } = await from.get(address, token);
      return { address, status, body };
    }),
  );

/** Keeps the backup waiting at the table that it reads first, which nobody else does, once its moment has passed. */
async function holdBackup<T>(work: () => Promise<T>): Promise<T> {
  return service.db.transaction(async (transaction) => {
    await transaction.run(sql`lock table aaa__first in access exclusive mode`);
    return work();
  });
}

const waits = async (): Promise<number> =>
  (
    await service.db.rows(sql`
      select from pg_stat_activity where application_name = 'dossier backup' and wait_event_type = 'Lock'
        and datname = current_database()`)
  ).length;

beforeAll(async () => {
  service = await startService();
  token = await service.login();
  expect((await service.post("/metadata/record_types/save.json", paper(), token)).body.errors).toEqual([]);
  for (const name of [rotten, "Lovelace", "Turing"]) old.push(await addLead(name));
  keptPaper = await addPaper("Kept", "the scan of a kept paper");
  purgedPaper = await addPaper("Purged later", "the scan of a purged paper");
  // Nothing of ours is in parts today; a backup would not mind.
  await service.db.script(`
    create table aaa__first (organization_id bigint not null);
    create table lab__parts (organization_id bigint not null, id bigint generated always as identity, note text default 'none',
      primary key (organization_id, id)) partition by hash (organization_id);
    create table lab__parts_0 partition of lab__parts for values with (modulus 2, remainder 0);
    create table lab__parts_1 partition of lab__parts for values with (modulus 2, remainder 1) with (fillfactor = 70);
    create index lab__parts__note on lab__parts (organization_id, note);
    insert into lab__parts (organization_id) select generate_series(1, 20);
    comment on table lab__parts is 'It''s in parts'`);
  before = await answers(service);
  etag = (await service.get("/crm/leads/index.json", token)).headers.get("etag") ?? "";

  const source = {
    connection: service.connection,
    files: localStore(path.join(service.dataDir, "files")),
    secret: undefined,
  };
  let running: Promise<Contents> | undefined;
  await holdBackup(async () => {
    running = makeBackup(source, archive, { pieceBytes: 1_000 });
    await until(async () => (await waits()) === 1);
    // Acknowledged while the backup is at work, after the moment that it keeps.
    during.push(...(await Promise.all(["A", "B", "C", "D"].map(addLead))));
    const edit = { data: { leads: { id: old[1], last_name: "Byron" }, action: { save_progress: "Save" } } };
    expect((await service.post("/crm/leads/edit.json", edit, token)).body.errors).toEqual([]);
    await service.get(`/lab/papers/delete.json?id=${purgedPaper}&is_confirm=1`, token);
    const purged = await service.post(`/lab/papers/purge.json?id=${purgedPaper}&is_confirm=1`, {}, token);
    expect(purged.body.errors).toEqual([]);
    await expect(makeBackup(source, path.join(folder, "second.tar"))).rejects.toThrow("Another backup or restore");
    const redesigned = paper({ label: "Sheet" });
    expect(await service.post("/metadata/record_types/save.json", redesigned, token)).toMatchObject({
      status: 503,
      body: { error_code: "backup_running" },
    });
  });
  contents = (await running) as Contents;
  second = await testDatabase("empty");
  const dataDir = path.join(folder, "second");
  const target = { connection: second.connection, files: localStore(path.join(dataDir, "files")) };
  await restoreBackup(target, archive, { replace: false, migrations: await readMigrations() });
  restored = await startService({ DATA_DIR: dataDir }, second);
});
afterAll(async () => {
  await restored?.stop();
  await second?.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("A backup under load", () => {
  test("is one file for its owner alone, with every file that a record named when it began", () => {
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    expect(contents).toMatchObject({ files: 2, missingFiles: [], bytes: statSync(archive).size });
    expect(existsSync(path.join(folder, "second.tar"))).toBe(false);
  });

  test("keeps one moment: all that was acknowledged before, nothing that came after", async () => {
    const found = (await restored.db.rows(sql`select id::text as id from crm__leads order by id`)).map(({ id }) => id);
    expect(found).toEqual(old);
    const revisions = await restored.db.rows(sql`
      select from core__revisions where related_type = 'crm/leads' and related_id::text = any(${during}::text[])`);
    expect(revisions).toEqual([]);
    const [{ total_count }] = [(await restored.get("/crm/leads/index.json", token)).body.paginate];
    expect(Number(total_count)).toBe(old.length);
  });

  test("restored, answers as the service did when it began", async () => {
    expect(await answers(restored)).toEqual(before);
  });

  test("restored, is made as the original was, down to comments, sequences and parts", async () => {
    const [one, two] = [await describeCatalog(service.db), await describeCatalog(restored.db)];
    // Numbers that were given out meanwhile are those of the original alone.
    expect({ ...two, sequences: [] }).toEqual({ ...one, sequences: [] });
    expect(two.sequences?.length).toBe(one.sequences?.length);
    const parts = await restored.db.row(sql`select count(*)::text as count from lab__parts`);
    expect(parts?.count).toBe("20");
  });

  test("restored, goes on where it was: new records, the append-only log, a design, and no list taken for an older one", async () => {
    const data = { leads: { last_name: "New" }, action: { save_progress: "Save" } };
    const added = await restored.post("/crm/leads/add.json", { data }, token);
    expect(Number(added.body.id)).toBeGreaterThan(Number(old.at(-1)));
    await expect(restored.db.script("delete from access_controls__audit_events")).rejects.toThrow("never changed");
    const redesigned = await restored.post("/metadata/record_types/save.json", paper({ label: "Sheet" }), token);
    expect(redesigned.body.errors).toEqual([]);
    const response = await fetch(`${restored.url}/crm/leads/index.json`, {
      headers: { authorization: `Bearer ${token}`, "if-none-match": etag },
    });
    expect(response.status).toBe(200);
    await response.text();
    const { cursor } = (await service.get("/core/changes/index.json", token)).body;
    const followed = await restored.get(`/core/changes/index.json?after=${cursor}`, token);
    expect([followed.status, followed.body.error_code]).toEqual([410, "changes_forgotten"]);
  });

  test("leaves the service as it was: files of purged records go, and designs change", async () => {
    await sweepFiles(service.db, localStore(path.join(service.dataDir, "files")));
    expect((await service.db.rows(sql`select from core__loose_files`)).length).toBe(0);
    const redesigned = await service.post("/metadata/record_types/save.json", paper({ label: "Sheet" }), token);
    expect(redesigned.body.errors).toEqual([]);
  });
});
