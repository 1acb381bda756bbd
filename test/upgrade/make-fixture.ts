// Takes a folder; writes a database of this version with small demo data and all that an upgrade has to keep: an archive and what is in it.
// Run by `npm run release -- fixture`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { loadDemo } from "../../demo/load-demo.ts";
import { backupCommand } from "../../server/commands/backup.ts";
import { programVersion } from "../../server/lib/version.ts";
import { createLog, openService, openStorage } from "../../server/service.ts";
import { testConfig } from "../config.ts";
import { fill, password } from "./fill.ts";

const [folder = path.join(import.meta.dirname, "fixtures")] = process.argv.slice(2);
const dataDir = mkdtempSync(path.join(tmpdir(), "dossier-fixture-"));
const archive = path.join(dataDir, "fixture.tar");
const config = {
  ...testConfig(dataDir, { HOST: "127.0.0.1", ADMIN_PASSWORD: password, LOG_LEVEL: "warn", DEMO_DATA: "0" }),
  databaseUrl: undefined,
};

try {
  const storage = await openStorage(config, createLog(config));
  if (!storage.first) throw new Error("the database was not empty");
  const { database, metadata, first } = storage;
  await database.transaction((transaction) =>
    loadDemo(transaction, metadata.current(), first, { today: "2026-03-15", scale: 0.1 }),
  );
  await storage.close();
  const service = await openService(config);
  const facts = await fill(service.url);
  await service.close();
  await backupCommand(config, [archive]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${programVersion}.tar.gz`), gzipSync(readFileSync(archive), { level: 9 }));
  writeFileSync(path.join(folder, `${programVersion}.json`), `${JSON.stringify(facts, undefined, 2)}\n`);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
