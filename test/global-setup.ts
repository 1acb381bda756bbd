// Once per run: a PostgreSQL for the whole suite (TEST_DATABASE_URL, else the embedded one), and in it one prepared
// template from which each test file copies its own database.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ClientConfig } from "pg";
import { parseIntoClientConfig } from "pg-connection-string";
import type { TestProject } from "vitest/node";
import { type Database, openDatabase } from "../server/database/database.ts";
import { type Engine, startEngine } from "../server/database/embedded/engine.ts";
import { quote } from "../server/database/sql.ts";
import { ensureFirstOrganization } from "../server/identity/first-organization.ts";
import type { MetadataStore } from "../server/metadata/store.ts";
import { prepareDatabase } from "../server/prepare.ts";
import { closeTemplate, distributeTables, findWorkers, joinDatabase, onEach } from "./citus.ts";

declare module "vitest" {
  export interface ProvidedContext {
    connection: ClientConfig;
    template: string;
    /** What `create database` is told beside the template. */
    strategy: string;
    /** The other machines of a Citus cluster. */
    workers: readonly ClientConfig[];
  }
}

export const testAdministrator = { userName: "admin", password: "correct-horse-battery" } as const;

const GB = 1024 ** 3;
const inMemory = "/dev/shm";
const prefix = "dossier-test-";

/** What nobody wants to keep need not reach a disk, where there is memory enough. */
function makeFolder(): string {
  if (!existsSync(inMemory)) return mkdtempSync(path.join(tmpdir(), prefix));
  for (const name of readdirSync(inMemory)) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? [];
    // Memory that a killed run left behind.
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(path.join(inMemory, name), { recursive: true, force: true });
  }
  const { bavail, bsize } = statfsSync(inMemory);
  const roomy = bavail * bsize > 6 * GB && process.availableMemory() > 8 * GB;
  return mkdtempSync(path.join(roomy ? inMemory : tmpdir(), `${prefix}${process.pid}-`));
}

/**
 * Nobody needs what the tests wrote after a power failure (what the product promises, test/engine holds it to), and no database
 * lives long enough to be tidied.
 */
const forTests = {
  synchronous_commit: "off",
  fsync: "off",
  full_page_writes: "off",
  autovacuum: "off",
  // What is read is in memory, and each database that goes has all buffers looked through.
  io_method: "sync",
  shared_buffers: "128MB",
};

/** All that the tests put into the temporary folder goes into one, which goes with the run. */
function makeTemporaryFolder(): string {
  const around = tmpdir();
  for (const name of readdirSync(around)) {
    const [, pid] = /^dossier-run-(\d+)-/.exec(name) ?? [];
    if (pid && existsSync("/proc") && !existsSync(`/proc/${pid}`))
      rmSync(path.join(around, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const folder = mkdtempSync(path.join(around, `dossier-run-${process.pid}-`));
  // As open as what is around it: engines run as other accounts.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  return folder;
}

/** The service's tables, and an organization with its administrator. */
export async function fillDatabase(db: Database): Promise<MetadataStore> {
  const metadata = await prepareDatabase(db);
  const administrator = { adminUserName: testAdministrator.userName, adminPassword: testAdministrator.password };
  await ensureFirstOrganization(db, metadata, administrator, "Test organization");
  return metadata;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let engine: Engine | undefined;
  let folder: string | undefined;
  let connection: ClientConfig;
  const temporary = makeTemporaryFolder();
  if (process.env.TEST_DATABASE_URL) {
    connection = parseIntoClientConfig(process.env.TEST_DATABASE_URL);
  } else {
    folder = makeFolder();
    engine = await startEngine({ dataDir: folder, log: () => undefined, settings: forTests });
    connection = engine.connection;
  }

  const template = `dossier_template_${process.pid}`;
  const workers = await findWorkers(connection);
  const server = openDatabase(connection, { connections: 1 });
  // Thousands of connections log in with a password that nobody could guess in the first place.
  if (engine) {
    const password = `'${connection.password}'`;
    await server.script(
      `set scram_iterations = 1; alter role current_user password ${password}; reset scram_iterations`,
    );
  }
  await server.script(`create database ${quote(template)}`);
  if (workers.length > 0) await joinDatabase(connection, workers, template);
  const db = openDatabase({ ...connection, database: template });
  const metadata = await fillDatabase(db);
  if (workers.length > 0) await distributeTables(db, metadata.current().types.values());
  await db.close();
  if (workers.length > 0) await closeTemplate([connection, ...workers], template);

  project.provide("connection", connection);
  project.provide("workers", workers);
  project.provide("template", template);
  // Files in memory are copied at once; through the log each page is written twice, which a disk can do later.
  project.provide("strategy", folder?.startsWith(inMemory) ? "strategy file_copy" : "");
  return async () => {
    await server.script(`drop database if exists ${quote(template)} with (force)`);
    await server.close();
    await onEach(workers, `drop database if exists ${quote(template)} with (force)`);
    await engine?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  };
}
