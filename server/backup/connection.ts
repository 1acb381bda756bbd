// A connection of its own for a backup or a restore: no time limits, one spelling of every value, and a way to drop it
// at once.
import type { Socket } from "node:net";
import pg from "pg";
import { clientConfig } from "../database/database.ts";
import { databaseFault } from "./faults.ts";

export interface OwnConnection {
  readonly client: pg.Client;
  /** Once it is done, its locks are free for the next. */
  close(): Promise<void>;
  /** At once: whatever is under way on it comes to nothing. */
  drop(): Promise<void>;
}

const NO_LIMIT = 0;

/** `name`: as pg_stat_activity tells it. */
export async function openConnection(connection: pg.ClientConfig, name: string): Promise<OwnConnection> {
  const client = new pg.Client({ ...clientConfig(connection, NO_LIMIT), application_name: name, keepAlive: true });
  // What is under way on a connection that is lost hears of it by itself.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("set idle_in_transaction_session_timeout = 0; set lock_timeout = 0; set extra_float_digits = 1");
  } catch (error) {
    await client.end().catch(() => undefined);
    throw databaseFault(error, "The database cannot be reached");
  }
  return { client, close: () => close(client), drop: () => drop(client) };
}

/** PostgreSQL gives up the locks of a connection some time after it was closed; whoever asks next would find them held. */
async function close(client: pg.Client): Promise<void> {
  await client.query("select pg_advisory_unlock_all()").catch(() => undefined);
  await client.end().catch(() => undefined);
}

/** A COPY that nobody reads on would be waited for: the socket is closed, and PostgreSQL ends what it was at. */
async function drop(client: pg.Client): Promise<void> {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  if (stream.destroyed) return;
  const closed = new Promise<void>((resolve) => void stream.once("close", () => resolve()));
  stream.destroy();
  await closed;
}

export async function tryLock(client: pg.Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ held: string }>("select pg_try_advisory_lock($1)::text as held", [lock]);
  return rows[0]?.held === "true";
}
