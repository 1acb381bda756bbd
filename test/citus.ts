// The suite on a Citus cluster: takes the connection of a coordinator; gives its workers, and makes the template of the run a
// distributed one. A database of a test is a copy of it on every machine. On any other PostgreSQL there are no workers.
import type { ClientConfig } from "pg";
import { distribute, readSituation } from "../server/database/citus/distribute.ts";
import { type Database, openDatabase } from "../server/database/database.ts";
import { quote, sql } from "../server/database/sql.ts";
import type { RecordType } from "../server/metadata/record-type.ts";

const SHARDS = 4;

/** The workers of the database that the connection names. */
export async function findWorkers(connection: ClientConfig): Promise<ClientConfig[]> {
  const db = openDatabase(connection, { connections: 1 });
  try {
    if (!(await db.row(sql`select 1 as found from pg_extension where extname = 'citus'`))) return [];
    const nodes = await db.rows(sql`
      select nodename as host, nodeport::text as port from pg_dist_node where groupid > 0 and isactive order by groupid`);
    return nodes.map(({ host, port }) => ({ ...connection, host: host ?? "", port: Number(port) }));
  } finally {
    await db.close();
  }
}

/** Runs a script on each of these servers, in the database that the connection names. */
export async function onEach(connections: readonly ClientConfig[], script: string): Promise<void> {
  for (const connection of connections) {
    const db = openDatabase(connection, { connections: 1 });
    await db.script(script).finally(() => db.close());
  }
}

/** A new database, here and on the workers. */
export async function joinDatabase(
  connection: ClientConfig,
  workers: readonly ClientConfig[],
  name: string,
): Promise<void> {
  await onEach(workers, `create database ${quote(name)}`);
  const everywhere = [connection, ...workers].map((one) => ({ ...one, database: name }));
  await onEach(everywhere, "create extension citus");
  const add = workers.map(({ host, port }) => `select citus_add_node('${host}', ${port});`).join(" ");
  await onEach(
    everywhere.slice(0, 1),
    `select citus_set_coordinator_host('${connection.host}', ${connection.port}); ${add}`,
  );
}

/** Nobody may be in a database that is copied; Citus itself is, until it is kept out. */
export async function closeTemplate(connections: readonly ClientConfig[], name: string): Promise<void> {
  await onEach(connections, `alter database ${quote(name)} allow_connections false`);
  for (const connection of connections) {
    const db = openDatabase(connection, { connections: 1 });
    const left = () =>
      db.rows(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`,
      );
    while ((await left()).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    await db.close();
  }
}

export async function distributeTables(db: Database, types: Iterable<RecordType>): Promise<void> {
  const shared = [...types].filter(({ scope }) => scope === "shared").map(({ table }) => table);
  await distribute(db, await readSituation(db, new Set(shared)), SHARDS, () => undefined);
}
