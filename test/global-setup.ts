// Once per run: a PostgreSQL for the whole suite (TEST_DATABASE_URL, else the embedded one), and in it one prepared
// template from which each test file copies its own database.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ClientConfig } from "pg";
import { parseIntoClientConfig } from "pg-connection-string";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../server/database/database.ts";
import { type Engine, startEngine } from "../server/database/embedded/engine.ts";
import { quote } from "../server/database/sql.ts";
import { ensureFirstOrganization, prepareDatabase } from "../server/prepare.ts";

declare module "vitest" {
  export interface ProvidedContext {
    connection: ClientConfig;
    template: string;
  }
}

export const testAdministrator = { userName: "admin", password: "correct-horse-battery" } as const;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let engine: Engine | undefined;
  let folder: string | undefined;
  let connection: ClientConfig;
  if (process.env.TEST_DATABASE_URL) {
    connection = parseIntoClientConfig(process.env.TEST_DATABASE_URL);
  } else {
    folder = mkdtempSync(path.join(tmpdir(), "dossier-test-"));
    engine = await startEngine({ dataDir: folder, log: () => undefined, maxConnections: 200 });
    connection = engine.connection;
  }

  const template = `dossier_template_${process.pid}`;
  const server = openDatabase(connection, { connections: 1 });
  await server.script(`create database ${quote(template)}`);
  const db = openDatabase({ ...connection, database: template });
  const metadata = await prepareDatabase(db);
  const administrator = { adminUserName: testAdministrator.userName, adminPassword: testAdministrator.password };
  await ensureFirstOrganization(db, metadata, administrator, "Test organisation");
  await db.close();

  project.provide("connection", connection);
  project.provide("template", template);
  return async () => {
    await server.script(`drop database if exists ${quote(template)} with (force)`);
    await server.close();
    await engine?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  };
}
