// Takes a folder and a number of rows; gives a folder with the measured organization in it, built by COPY and kept for the
// next run.
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { foldChanges, recount } from "../../server/database/changes.ts";
import { type Database, openDatabase } from "../../server/database/database.ts";
import { startEngine } from "../../server/database/embedded/engine.ts";
import { sql } from "../../server/database/sql.ts";
import { ensureFirstOrganization } from "../../server/identity/first-organization.ts";
import { requireType, type Snapshot } from "../../server/metadata/snapshot.ts";
import { prepareDatabase } from "../../server/prepare.ts";
import { insertRows } from "../../server/records/save/insert-rows.ts";
import { seedOf } from "../traffic/random.ts";
import { copyIn } from "./copy-in.ts";
import { isInHalf, type LeadSource, leadColumns, makeLeads, type Owner } from "./lead-rows.ts";
import { benchPassword, buildPeople, callers, fewOwner, internOwners, readStages } from "./people.ts";
import { DATA_VERSION, readUniverse, rowsOf, type Universe, writeUniverse } from "./universe.ts";
import { benchView } from "./view.ts";

const log = (text: string): void => void process.stderr.write(`${text}\n`);

/** The folder of this size, built where it is not there yet. */
export async function dataFolder(data: string, size: string, seed: number): Promise<string> {
  const rows = rowsOf(size);
  const folder = path.join(data, `${size.toLowerCase()}-${seed}`);
  if (readUniverse(folder)?.rows === rows) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const began = Date.now();
  log(`building ${rows.toLocaleString("en")} leads in ${folder}`);
  await build(folder, rows, seed);
  log(`built in ${Math.round((Date.now() - began) / 1000)} s`);
  return folder;
}

/** A folder that is cut off while it is built is thrown away: nothing in it has to survive that. */
const careless = {
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "16GB",
  autovacuum: "off",
};

async function build(folder: string, rows: number, seed: number): Promise<void> {
  const engine = await startEngine({ dataDir: folder, log: () => undefined, settings: careless });
  const db = openDatabase(engine.connection);
  try {
    const metadata = await prepareDatabase(db);
    const administrator = { adminUserName: callers.administrator, adminPassword: benchPassword };
    const first = await ensureFirstOrganization(db, metadata, administrator, "Benchmark");
    if (!first) throw new Error(`${folder} already holds a database`);
    writeUniverse(folder, await fillOrganization(db, metadata.current(), first.organizationId, rows, seed));
  } finally {
    await db.close();
    await engine.stop();
  }
}

/** Into an organization that has its administrator and nobody else. */
export async function fillOrganization(
  db: Database,
  snapshot: Snapshot,
  organizationId: string,
  rows: number,
  seed: number,
): Promise<Universe> {
  const client = new pg.Client(db.connection);
  await client.connect();
  try {
    const ownerIds = await buildPeople(db, snapshot, organizationId, rows);
    await db.transaction((transaction) =>
      insertRows(transaction, snapshot, requireType(snapshot, "core/listviews"), organizationId, [benchView]),
    );
    const stages = await readStages(db, organizationId);
    const { owners, attached } = await internOwners(db, snapshot, organizationId, ownerIds, stages);
    const source: LeadSource = { seed: seedOf("leads", seed), rows, organizationId, owners, stages };
    await fill(db, client, source, attached);
    return await describe(db, source, seed);
  } finally {
    await client.end();
  }
}

/** All rows with no index but the key, then the indexes: a fraction of what keeping them row by row takes. */
async function fill(
  db: Database,
  client: pg.Client,
  source: LeadSource,
  attached: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const tables = ["crm__leads", "core__addresses", "core__email_addresses"];
  const indexes = await db.rows(sql`
    select i.indexname as name, i.indexdef as definition, i.tablename as table from pg_indexes i
    where i.tablename = any(${tables}::text[])
      and not exists (select 1 from pg_constraint c where c.conindid = format('%I.%I', i.schemaname, i.indexname)::regclass)`);
  for (const { name } of indexes) await db.script(`drop index "${name}"`);
  const began = Date.now();
  const say = (done: string) =>
    source.rows >= 10_000 && log(`  ${done} after ${Math.round((Date.now() - began) / 1000)} s`);
  await copyIn(client, "crm__leads", leadColumns, leadRows(source));
  say("leads");
  await copyIn(client, "core__addresses", addressColumns, addressRows(source, attached));
  await copyIn(client, "core__email_addresses", emailColumns, emailRows(source, attached));
  say("addresses");
  await client.query("set maintenance_work_mem = '1GB'");
  for (const { definition } of indexes) await client.query(definition ?? "");
  say("indexes");
  for (const table of tables) {
    await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), ${source.rows + 1})`);
    await recount(db, source.organizationId, table.replace("__", "/"), table);
  }
  await db.run(sql`
    insert into core__auto_numbers (organization_id, record_type, field, last_value)
    values (${source.organizationId}::bigint, 'crm/leads', 'business_key', ${String(source.rows)}::bigint)
    on conflict (organization_id, record_type, field) do update set last_value = excluded.last_value`);
  while ((await foldChanges(db)) > 0);
  await client.query("vacuum analyze");
  await client.query("checkpoint").catch(() => undefined);
}

const authorship = ["id", "organization_id", "created", "created_by", "modified", "modified_by", "owned_by", "acl_id"];
const addressColumns = [...authorship, "related_type", "related_id", "type", "address_line_1", "city", "zip"];
const emailColumns = [...authorship, "related_type", "related_id", "type", "email"];

function* leadRows(source: LeadSource) {
  let done = 0;
  for (const lead of makeLeads(source)) {
    done += 1;
    if (done % 500_000 === 0) log(`  ${done.toLocaleString("en")} leads`);
    yield lead.columns;
  }
}

function* addressRows(source: LeadSource, attached: ReadonlyMap<string, readonly string[]>) {
  const aclOf = setsByOwner(source.owners, attached.get("core/addresses"));
  for (const { id, owner, created, city } of makeLeads(source)) {
    if (id % 3 !== 0) continue;
    const own = [id, source.organizationId, created, owner.id, created, owner.id, owner.id, aclOf(owner)];
    yield [...own, "crm/leads", id, "work", `${1 + (id % 200)} Station Road`, city, String(10_000 + (id % 80_000))];
  }
}

function* emailRows(source: LeadSource, attached: ReadonlyMap<string, readonly string[]>) {
  const aclOf = setsByOwner(source.owners, attached.get("core/email_addresses"));
  for (const { id, owner, created, email } of makeLeads(source)) {
    if (id % 2 !== 0) continue;
    const own = [id, source.organizationId, created, owner.id, created, owner.id, owner.id, aclOf(owner)];
    yield [...own, "crm/leads", id, "work", `private.${email}`];
  }
}

function setsByOwner(owners: readonly Owner[], sets: readonly string[] = []): (owner: Owner) => string {
  const byOwner = new Map(owners.map((owner, index) => [owner, sets[index] ?? ""]));
  return (owner) => byOwner.get(owner) ?? "";
}

async function describe(db: Database, { rows, organizationId, owners }: LeadSource, seed: number): Promise<Universe> {
  const setsOf = (some: readonly Owner[]) => some.flatMap(({ aclIds }) => [...new Set(Object.values(aclIds))]);
  const restricted = async (some: readonly Owner[]) => {
    const aclIds = setsOf(some);
    const counted = await db.row(sql`
      select count(*)::text as n from crm__leads where organization_id = ${organizationId}::bigint and acl_id = any(${aclIds}::integer[])`);
    return { readable: Number(counted?.n), aclIds };
  };
  const counted = await db.rows(sql`
    select status, count(*)::text as n from crm__leads where organization_id = ${organizationId}::bigint group by status`);
  const few = fewOwner(owners.length);
  return {
    version: DATA_VERSION,
    rows,
    seed,
    organizationId,
    readers: {
      administrator: { readable: rows },
      half: await restricted(owners.filter((_, index) => isInHalf(index + 1))),
      few: await restricted(owners.filter((_, index) => index + 1 === few)),
    },
    statuses: Object.fromEntries(counted.map(({ status, n }) => [status ?? "", Number(n)])),
  };
}
