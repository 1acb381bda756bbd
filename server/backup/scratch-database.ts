// Takes a database; makes an empty one beside it on the same server, for as long as `work` lasts. It has one name for each database, so that what a
// killed process left is found and dropped by the next.
import { statfsSync } from "node:fs";
import pg from "pg";
import { openConnection, tryLock } from "./connection.ts";
import { BackupFault, databaseFault } from "./faults.ts";

const CHECK_LOCK = 7_361_041;
/** What a copy needs beside the rows: sorting, the log. */
const ROOM = 1.5;
const GIB = 1024 ** 3;

interface Server {
  readonly name: string;
  readonly bytes: number;
  readonly owner: string;
  readonly like: string;
}

/** `folder`: where the server keeps its data, if it is on this machine. */
export async function withScratchDatabase<T>(
  connection: pg.ClientConfig,
  folder: string | undefined,
  work: (scratch: pg.ClientConfig) => Promise<T>,
): Promise<T> {
  const { client, close } = await openConnection(connection, "dossier upgrade");
  try {
    if (!(await tryLock(client, CHECK_LOCK))) {
      throw new BackupFault("Another check of this database is running. Try again when it has finished.");
    }
    const server = await describe(client);
    requireRoom(server.bytes, folder);
    const drop = (): Promise<unknown> =>
      client.query(`drop database if exists ${pg.escapeIdentifier(server.name)} with (force)`);
    await drop();
    await create(client, server);
    try {
      return await work({ ...connection, ...named(connection, server.name) });
    } finally {
      await drop();
    }
  } finally {
    await close();
  }
}

async function describe(client: pg.Client): Promise<Server> {
  const { rows } = await client.query<Record<"oid" | "bytes" | "owner" | "encoding" | "collate" | "ctype", string>>(`
    select oid::text as oid, pg_database_size(oid)::text as bytes, current_user::text as owner,
      pg_encoding_to_char(encoding) as encoding, datcollate as collate, datctype as ctype
    from pg_database where datname = current_database()`);
  const row = rows[0];
  if (!row) throw new BackupFault("The database cannot be read.");
  const literal = pg.escapeLiteral;
  return {
    name: `dossier_upgrade_check_${row.oid}`,
    bytes: Number(row.bytes),
    owner: row.owner,
    like: `template template0 encoding ${literal(row.encoding)} lc_collate ${literal(row.collate)} lc_ctype ${literal(row.ctype)}`,
  };
}

export function requireRoom(bytes: number, folder: string | undefined): void {
  if (folder === undefined) return;
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= bytes * ROOM) return;
  const inGib = (size: number): string => (size / GIB).toFixed(1);
  throw new BackupFault(
    `A check copies the database and needs ${inGib(bytes * ROOM)} GiB at ${folder}; ${inGib(free)} GiB are free. Free some space, ` +
      "or restore a backup on another machine: that upgrades it too.",
  );
}

async function create(client: pg.Client, { name, owner, like }: Server): Promise<void> {
  try {
    await client.query(`create database ${pg.escapeIdentifier(name)} ${like}`);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === "42501") {
      throw new BackupFault(
        `A check needs a database for a copy, and the user ${owner} may not create one. Run "alter role ${pg.escapeIdentifier(owner)} createdb" as a ` +
          "superuser, or restore a backup into an empty database: that upgrades it too.",
        { cause: error },
      );
    }
    throw databaseFault(error, "The copy could not be made");
  }
}

/** The same server by another name of the database, however the connection is said. */
function named({ connectionString }: pg.ClientConfig, database: string): pg.ClientConfig {
  if (connectionString === undefined) return { database };
  const url = new URL(connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}
