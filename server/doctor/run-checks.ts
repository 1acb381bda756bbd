// Takes the settings and a database; gives everything that a check-up finds. Reads only; a check that fails is a finding.
import type { Config } from "../config.ts";
import type { Queryable } from "../database/database.ts";
import { readMigrations } from "../database/migrate.ts";
import { readSnapshot } from "../metadata/store.ts";
import { builtInTypes } from "../modules/index.ts";
import { checkClock, checkProcesses, checkSchema, checkServer } from "./check-database.ts";
import { checkDisk, checkNode, checkSettings } from "./check-machine.ts";
import { checkBackups, checkQueues } from "./check-queues.ts";
import { checkBloat, checkIndexes, checkTableWork } from "./check-tables.ts";
import { error, type Finding } from "./finding.ts";

export function checkMachine(config: Config, source: Readonly<Record<string, string | undefined>>): Finding[] {
  const holds = config.databaseUrl === undefined ? "database, files and secrets" : "files and secrets";
  return [...checkSettings(config, source), checkNode(), checkDisk(config.dataDir, holds)];
}

export async function checkService(db: Queryable, config: Config): Promise<Finding[]> {
  const schema = await tried("Schema", async () => checkSchema(db, await readMigrations()));
  const findings = [
    ...(await tried("PostgreSQL", () => checkServer(db))),
    ...(await tried("Clock", () => checkClock(db))),
    ...schema,
  ];
  // Tables of an empty database, or of another version, are not there or look otherwise.
  if (schema.some(({ level }) => level !== "fine")) return findings;
  return [
    ...findings,
    ...(await tried("Processes", () => checkProcesses(db, config))),
    ...(await tried("Indexes", async () => checkIndexes(db, await readSnapshot(db, builtInTypes)))),
    ...(await tried("Tables", () => checkTableWork(db))),
    ...(await tried("Bloat", () => checkBloat(db))),
    ...(await tried("Queues", () => checkQueues(db))),
    ...(await tried("Backups", () => checkBackups(db, config))),
  ];
}

async function tried(about: string, check: () => Promise<Finding | readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return [await check()].flat();
  } catch (fault) {
    return [error(about, `This could not be checked: ${fault instanceof Error ? fault.message : String(fault)}`)];
  }
}
