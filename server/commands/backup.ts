// `dossier backup` and `dossier restore`: takes their words and the settings, and says on the terminal what came of it.
import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Contents } from "../backup/archive.ts";
import { checkArchive } from "../backup/check-archive.ts";
import { requireKnownVersion } from "../backup/check-version.ts";
import { BackupFault, BackupRunning, BackupStopped } from "../backup/faults.ts";
import { type BackupSource, makeBackup } from "../backup/make-backup.ts";
import { reachDatabase } from "../backup/reach-database.ts";
import { removeMark, restoreBackup } from "../backup/restore-backup.ts";
import { type BackupResult, recordResult } from "../backup/results.ts";
import { adoptSecret, knownSecret } from "../backup/token-secret.ts";
import type { Config } from "../config.ts";
import { openDatabase } from "../database/database.ts";
import { readMigrations } from "../database/migrate.ts";
import { openFileStore } from "../files/open-store.ts";
import { prepareDatabase } from "../prepare.ts";
import { interruptible, type Terminal, terminal } from "./interruptible.ts";
import { requireKnownDatabase } from "./known-database.ts";

const backupUse = `Usage: dossier backup FILE          write a backup of the database and the files to FILE
       dossier backup --check FILE  read a backup and say whether it is whole`;
const restoreUse = `Usage: dossier restore FILE            restore a backup into an empty database
       dossier restore FILE --replace  replace everything in the database with the backup
       dossier restore --cancel        go on without a restore that was cut off`;

export async function backupCommand(config: Config, words: readonly string[], to: Terminal = terminal): Promise<void> {
  const { values, positionals } = read(words, { check: { type: "boolean" } }, backupUse);
  const file = fileOf(positionals, backupUse);
  const { onProgress, signal, end } = interruptible(to);
  try {
    if (values.check) {
      const found = await checkArchive(file, onProgress);
      end();
      return to.out(
        `${file} is whole: ${inWords(found)}, made ${found.about.created} by Dossier ${found.about.dossier}.`,
      );
    }
    const database = await reachDatabase(config, true, to.out);
    try {
      await requireKnownDatabase(database.connection, "not newer");
      const source = {
        connection: database.connection,
        files: await openFileStore(config),
        secret: knownSecret(config),
      };
      const found = await recorded(source, file, () => makeBackup(source, file, { onProgress, signal }));
      end();
      to.out(`${file} is written and checked: ${inWords(found)}.`);
      if (found.missingFiles.length > 0) to.out(missing(found.missingFiles));
      if (!source.secret) to.out("TOKEN_SECRET is not in it, and is needed after a restore: keep it elsewhere.");
    } finally {
      await database.close();
    }
  } finally {
    end();
  }
}

export async function restoreCommand(config: Config, words: readonly string[], to: Terminal = terminal): Promise<void> {
  const { values, positionals } = read(
    words,
    { replace: { type: "boolean" }, cancel: { type: "boolean" } },
    restoreUse,
  );
  const { onProgress, signal, end } = interruptible(to);
  const file = values.cancel ? undefined : fileOf(positionals, restoreUse);
  const migrations = await readMigrations();
  // What cannot be restored at all is told before a database is made for it.
  if (file !== undefined) await requireKnownVersion(file, migrations);
  const database = await reachDatabase(config, values.cancel === true, to.out);
  try {
    // Putting a backup in its place is the way back from a newer version.
    if (!values.replace) await requireKnownDatabase(database.connection, "not newer");
    if (file === undefined) {
      const was = await removeMark(database.connection);
      return to.out(
        was ? "The restore that was cut off is forgotten. The data is as it was before." : "No restore was cut off.",
      );
    }
    const target = { connection: database.connection, files: await openFileStore(config) };
    const options = { replace: values.replace === true, migrations, onProgress, signal };
    const restored = await restoreBackup(target, file, options);
    onProgress({ stage: "Bringing the database up to date", done: 0, total: 0 });
    const opened = openDatabase(database.connection);
    try {
      await prepareDatabase(opened);
    } finally {
      await opened.close();
    }
    end();
    to.out(`${file} is restored: ${inWords(restored)}. Start the service now.`);
    if (restored.missingFiles.length > 0) to.out(missing(restored.missingFiles));
    for (const line of adoptSecret(config, restored)) to.out(line);
  } finally {
    end();
    await database.close();
  }
}

/** Written down beside those of the schedule, however it ends; one that did not begin is none. */
async function recorded(source: BackupSource, file: string, make: () => Promise<Contents>): Promise<Contents> {
  const began = Date.now() / 1000;
  const record = (outcome: BackupResult["outcome"]): Promise<void> =>
    recordResult(source.connection, { kind: "manual", file, began, outcome });
  try {
    const contents = await make();
    await record(contents);
    return contents;
  } catch (error) {
    const isNone = error instanceof BackupRunning || error instanceof BackupStopped || existsSync(file);
    if (!isNone && error instanceof BackupFault) await record({ failure: error.message }).catch(() => undefined);
    throw error;
  }
}

type Options = Readonly<Record<string, { readonly type: "boolean" }>>;

function read(words: readonly string[], options: Options, use: string) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw new BackupFault(`${error instanceof Error ? error.message : String(error)}\n${use}`);
  }
}

function fileOf(positionals: readonly string[], use: string): string {
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new BackupFault(`Name one file.\n${use}`);
  return path.resolve(file);
}

const missing = (keys: readonly string[]): string =>
  `Warning: ${keys.length} ${keys.length === 1 ? "file was" : "files were"} already missing from the file store: ${keys.slice(0, 5).join(", ")}`;

const count = (value: number, one: string, many: string): string =>
  `${value.toLocaleString("en-US")} ${value === 1 ? one : many}`;

const inWords = ({ rows, files, bytes }: Contents): string =>
  `${count(rows, "row", "rows")}, ${count(files, "file", "files")}, ${(bytes / 1e6).toFixed(1)} MB`;
