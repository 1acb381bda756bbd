// Looks at the database: its version and schema, settings that would lose what was acknowledged, extensions, connections, its
// clock, and whether the processes on it agree. Changes nothing.
import type { Config } from "../config.ts";
import { missingMigrations, NewerDatabase, readApplied, requireNotNewer } from "../database/applied-migrations.ts";
import type { Queryable } from "../database/database.ts";
import type { Migration } from "../database/migrate.ts";
import { countPeers, differsFromPeers, filesLock, secretLock } from "../database/processes/peers.ts";
import { sql } from "../database/sql.ts";
import { knownPlaceOfFiles } from "../files/open-store.ts";
import { readSecretFile } from "../lib/secrets/secret-file.ts";
import { error, type Finding, fine, orFine, warning } from "./finding.ts";

const [OLDEST, NEWEST] = [14, 18];
const extensions = ["pg_trgm", "btree_gin", "unaccent"];
/** What one process opens at the most, all pools together. */
const CONNECTIONS_PER_PROCESS = 48;
const durable = { fsync: "on", full_page_writes: "on", synchronous_commit: "on" } as const;

export async function checkServer(db: Queryable): Promise<readonly Finding[]> {
  const rows = await db.rows<{ name: string; setting: string }>(sql`
    select name, setting from pg_settings
    where name in ('server_version', 'server_version_num', 'max_connections', 'superuser_reserved_connections', 'fsync',
      'full_page_writes', 'synchronous_commit', 'autovacuum')`);
  const set = new Map(rows.map(({ name, setting }) => [name, setting]));
  const major = Math.floor(Number(set.get("server_version_num")) / 10_000);
  const version =
    major < OLDEST
      ? error("PostgreSQL", `Version ${set.get("server_version")} is too old. Use PostgreSQL ${OLDEST} to ${NEWEST}.`)
      : major > NEWEST
        ? warning(
            "PostgreSQL",
            `Version ${set.get("server_version")} is newer than what Dossier is tested with (${NEWEST}).`,
          )
        : fine("PostgreSQL", `Version ${set.get("server_version")}.`);
  const unsafe = Object.entries(durable).flatMap(([name, wanted]) =>
    set.get(name) === wanted || (name === "synchronous_commit" && set.get(name)?.startsWith("remote"))
      ? []
      : [error("PostgreSQL", `${name} is ${set.get(name)}: a crash loses what people saved. Set it to ${wanted}.`)],
  );
  const lazy =
    set.get("autovacuum") === "on"
      ? []
      : [warning("PostgreSQL", "autovacuum is off: tables grow and lists slow down. Turn it on.")];
  const missing = await db.rows<{ name: string }>(sql`
    select name from unnest(${extensions}::text[]) as wanted(name)
    where not exists (select from pg_extension where extname = wanted.name)`);
  const lacks = missing.map(({ name }) =>
    error("Extensions", `${name} is missing. Run "create extension ${name}" in this database as a superuser.`),
  );
  const room = Number(set.get("max_connections")) - Number(set.get("superuser_reserved_connections"));
  return [
    version,
    ...unsafe,
    ...lazy,
    ...orFine(lacks, fine("Extensions", `${extensions.join(", ")} are installed.`)),
    await checkConnections(db, room),
  ];
}

async function checkConnections(db: Queryable, room: number): Promise<Finding> {
  const row = await db.row(
    sql`select count(*)::text as used from pg_stat_activity where backend_type = 'client backend'`,
  );
  const [used, processes] = [Number(row?.used), await countPeers(db)];
  const sentence = `${used} of ${room} connections are in use, by ${processes} ${processes === 1 ? "process" : "processes"} of Dossier and others.`;
  // One more than there are, for a rolling restart.
  const needed = (processes + 1) * CONNECTIONS_PER_PROCESS;
  if (used > room * 0.9) return error("Connections", `${sentence} Raise max_connections.`);
  if (needed > room)
    return warning(
      "Connections",
      `${sentence} Raise max_connections to ${needed + 10}: one process takes up to ${CONNECTIONS_PER_PROCESS}.`,
    );
  return fine("Connections", sentence);
}

export async function checkSchema(db: Queryable, migrations: readonly Migration[]): Promise<Finding> {
  const applied = await readApplied(db);
  if (applied.prints.size === 0) return warning("Schema", "The database is empty. Start the service once to fill it.");
  try {
    requireNotNewer(applied, migrations);
  } catch (fault) {
    if (fault instanceof NewerDatabase) return error("Schema", fault.message);
    throw fault;
  }
  const waiting = missingMigrations(applied, migrations);
  if (waiting.length > 0)
    return warning(
      "Schema",
      `${waiting.length === 1 ? "1 migration is" : `${waiting.length} migrations are`} not applied yet. Back up, then start the service to apply them.`,
    );
  return fine("Schema", `Up to date (migration ${migrations.at(-1)?.number}).`);
}

/** Half of the way there and back is taken for the way back. */
export async function checkClock(db: Queryable): Promise<Finding> {
  const before = Date.now();
  const row = await db.row(sql`select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as now`);
  const here = (before + Date.now()) / 2;
  return judgeClock((Number(row?.now) - here) / 1000);
}

export function judgeClock(seconds: number): Finding {
  const sentence = `The database's clock is ${Math.abs(seconds).toFixed(1)} s ${seconds < 0 ? "behind" : "ahead of"} this machine's.`;
  if (Math.abs(seconds) > 30)
    return error("Clock", `${sentence} Set both by NTP: sessions and one-time codes depend on it.`);
  if (Math.abs(seconds) > 2) return warning("Clock", `${sentence} Set both by NTP.`);
  return fine("Clock", sentence);
}

/** Whether the processes that live agree with these settings. */
export async function checkProcesses(db: Queryable, config: Config): Promise<readonly Finding[]> {
  const secret = config.tokenSecret ?? readSecretFile(config.dataDir, "token-secret");
  const place = knownPlaceOfFiles(config);
  const found: Finding[] = [];
  if (secret !== undefined && (await differsFromPeers(db, secretLock(secret))))
    found.push(
      error(
        "Processes",
        "A running process signs with another secret than these settings. Give all the same TOKEN_SECRET.",
      ),
    );
  if (place !== undefined && (await differsFromPeers(db, filesLock(place))))
    found.push(
      error(
        "Processes",
        "A running process keeps uploaded files elsewhere. Give all the same DATA_DIR/files, or the same bucket.",
      ),
    );
  const running = await countPeers(db);
  return orFine(
    found,
    running === 0
      ? warning("Processes", "The service is not running.")
      : fine("Processes", `${running} running, with the same secret and the same place for files.`),
  );
}
