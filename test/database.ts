// Gives a test file a database of its own on the run's PostgreSQL: empty, or with the service's tables and first organization.
import type { ClientConfig } from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "../server/database/database.ts";
import { quote } from "../server/database/sql.ts";
import { joinDatabase, onEach } from "./citus.ts";

export interface TestDatabase {
  readonly connection: ClientConfig;
  readonly db: Database;
  close(): Promise<void>;
}

let count = 0;

/** A joined one is empty, and on a Citus cluster ready to be distributed. */
export async function testDatabase(kind: "empty" | "joined" | "prepared" = "empty"): Promise<TestDatabase> {
  const connection = inject("connection");
  count += 1;
  const name = `dossier_test_${process.pid}_${Date.now().toString(36)}_${count}`;
  const server = openDatabase(connection, { connections: 1 });
  const template = `${kind === "prepared" ? ` template ${quote(inject("template"))}` : ""} ${inject("strategy")}`;
  const workers = kind === "empty" ? [] : inject("workers");
  if (kind === "prepared") await onEach(workers, `create database ${quote(name)}${template}`);
  await server.script(`create database ${quote(name)}${template}`);
  if (kind === "joined" && workers.length > 0) await joinDatabase(connection, workers, name);
  const own = { ...connection, database: name };
  const db = openDatabase(own);
  return {
    connection: own,
    db,
    close: async () => {
      await db.close();
      await server.script(`drop database if exists ${quote(name)} with (force)`);
      await server.close();
      await onEach(workers, `drop database if exists ${quote(name)} with (force)`);
    },
  };
}
