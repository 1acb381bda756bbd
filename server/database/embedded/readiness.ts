// Takes the connection of a server that is starting; gives back once it accepts connections, with the service's
// database there; never waits for a server that has ended.
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

const POLL_MS = 15;
const TELL_EVERY_MS = 10_000;

/** Recovery after a crash may take minutes on large data, so a living server is waited for without a limit. */
export async function waitUntilReady(
  connection: Connection,
  hasEnded: () => boolean,
  log: (line: string) => void,
): Promise<boolean> {
  let told = Date.now();
  while (!hasEnded()) {
    const answer = await tryConnect(connection);
    if (answer === undefined) return true;
    if (answer.code === "3D000") await createDatabase(connection);
    // 28P01 and 28000: the account and its password are ours alone, so waiting changes nothing.
    if (answer.code === "28P01" || answer.code === "28000") throw new WrongPassword(answer.message);
    if (Date.now() - told > TELL_EVERY_MS) {
      told = Date.now();
      log(`the embedded PostgreSQL is still getting ready (${answer.message})`);
    }
    await delay(POLL_MS);
  }
  return false;
}

export class WrongPassword extends Error {}

async function tryConnect(connection: Connection): Promise<{ code: string; message: string } | undefined> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return { code, message: error instanceof Error ? error.message : String(error) };
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(connection: Connection): Promise<void> {
  const client = new pg.Client({ ...connection, database: "postgres" });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(connection.database)}`);
  } catch {
    // The next attempt to connect tells what is wrong.
  } finally {
    await client.end().catch(() => {});
  }
}
