// Takes the settings; gives the database that they name, for a command beside the service: an outside one, the embedded one
// that a running service has started, or the embedded one started for this command alone.
import { existsSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import type { Config } from "../config.ts";
import { startEngine } from "../database/embedded/engine.ts";
import { readPassword } from "../database/embedded/secret.ts";
import { heldSocketFolder } from "../database/embedded/service-lock.ts";
import { clusterFolder } from "../database/embedded/site.ts";
import { SOCKET_PORT } from "../database/embedded/socket-folder.ts";
import { openConnection } from "./connection.ts";
import { BackupFault } from "./faults.ts";

export interface Reached {
  readonly connection: pg.ClientConfig;
  close(): Promise<void>;
}

type Place = Pick<Config, "databaseUrl" | "dataDir">;

/** `beside`: the service may be running. Without it the command has the embedded database for itself, made where there is none. */
export async function reachDatabase(
  { databaseUrl, dataDir }: Place,
  beside: boolean,
  log: (line: string) => void,
): Promise<Reached> {
  if (databaseUrl !== undefined) return { connection: { connectionString: databaseUrl }, close: async () => undefined };
  if (beside) {
    const running = await reachRunning(dataDir);
    if (running) return { connection: running, close: async () => undefined };
    if (!existsSync(path.join(clusterFolder(dataDir), "PG_VERSION"))) {
      throw new BackupFault(
        `There is no database in ${dataDir}. Set DATA_DIR to the folder of the service, or DATABASE_URL to its database.`,
      );
    }
  }
  const engine = await startEngine({ dataDir, log });
  return { connection: engine.connection, close: () => engine.stop() };
}

async function reachRunning(dataDir: string): Promise<pg.ClientConfig | undefined> {
  const [host, password] = [heldSocketFolder(dataDir), readPassword(dataDir)];
  if (host === undefined || password === undefined) return undefined;
  const connection = { host, port: SOCKET_PORT, user: "dossier", password, database: "dossier" };
  try {
    await (await openConnection(connection, "dossier backup")).close();
    return connection;
  } catch {
    // Its holder is gone, or out of reach: then starting the database tells which.
    return undefined;
  }
}
