// `dossier upgrade`: brings the database up to this version, as a start does; with --check it does so with a copy, says what it did and how long it
// took, and leaves nothing behind.
import { parseArgs } from "node:util";
import type pg from "pg";
import { copyDatabase } from "../backup/copy-database.ts";
import { BackupFault, BackupStopped } from "../backup/faults.ts";
import type { OnProgress } from "../backup/progress.ts";
import { reachDatabase } from "../backup/reach-database.ts";
import { withScratchDatabase } from "../backup/scratch-database.ts";
import type { Config } from "../config.ts";
import { readDistributed } from "../database/citus/distributed.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { readMigrations } from "../database/migrate.ts";
import { ident, sql } from "../database/sql.ts";
import { checkSchema } from "../doctor/check-database.ts";
import { checkIndexes, checkTableWork } from "../doctor/check-tables.ts";
import type { Finding } from "../doctor/finding.ts";
import { finishTableWork } from "../metadata/finish-table-work.ts";
import type { PendingWork, TableWork } from "../metadata/table-work.ts";
import { type PreparedStep, prepareDatabase } from "../prepare.ts";
import { interruptible, type Terminal, terminal } from "./interruptible.ts";
import { requireKnownDatabase } from "./known-database.ts";

const use = `Usage: dossier upgrade          bring the database up to this version
       dossier upgrade --check  try that with a copy of the database, and change nothing`;

export async function upgradeCommand(
  config: Config,
  words: readonly string[],
  to: Terminal = terminal,
): Promise<0 | 1> {
  const isCheck = read(words);
  const { onProgress, signal, endLine, end } = interruptible(to);
  const reached = await reachDatabase(config, true, to.out);
  try {
    await requireKnownDatabase(reached.connection, isCheck ? "not empty" : "not newer");
    if (!isCheck) {
      // A migration is done or undone by itself: there is nothing to end in order.
      end();
      const { findings } = await upgrade(reached.connection, to.out, onProgress, endLine);
      to.out(
        findings.length === 0 ? "The database is up to date." : "The database is up to date, with the warnings above.",
      );
      return findings.length === 0 ? 0 : 1;
    }
    await requireOneDatabase(reached.connection);
    const folder = config.databaseUrl === undefined ? config.dataDir : undefined;
    const { seconds, findings } = await withScratchDatabase(reached.connection, folder, async (scratch) => {
      const began = performance.now();
      const copied = await copyDatabase(reached.connection, scratch, { onProgress, signal });
      endLine();
      const rows = [...copied.values()].reduce((sum, count) => sum + count, 0);
      to.out(
        `Copied ${copied.size} tables with ${rows.toLocaleString("en-US")} rows in ${inSeconds(performance.now() - began)}.`,
      );
      return unlessStopped(signal, upgrade(scratch, to.out, onProgress, endLine, copied));
    });
    to.out(
      findings.length === 0
        ? `The upgrade will work: ${inSeconds(seconds.first)} until the service is ready, and ${inSeconds(seconds.later)} of work while it runs. The copy is removed.`
        : "The upgrade needs attention: see the warnings above. The copy is removed.",
    );
    return findings.length === 0 ? 0 : 1;
  } finally {
    end();
    await reached.close();
  }
}

/** A copy of a distributed database would be a plain one, and would be upgraded in another way. */
async function requireOneDatabase(connection: pg.ClientConfig): Promise<void> {
  const db = openDatabase(connection, { connections: 1 });
  try {
    if (await readDistributed(db)) {
      throw new BackupFault(
        "A distributed database can't be checked this way. Try the upgrade on a copy of the cluster.",
      );
    }
  } finally {
    await db.close();
  }
}

/** Ended by a person, the work is left to itself: the copy that it works on is about to go. */
function unlessStopped<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      const stop = (): void => reject(new BackupStopped());
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    }),
  ]);
}

interface Upgraded {
  /** Until a service would be ready, and after that; in milliseconds. */
  readonly seconds: { readonly first: number; readonly later: number };
  readonly findings: readonly Finding[];
}

/** `before`: rows by table, to see what went. */
async function upgrade(
  connection: pg.ClientConfig,
  out: (line: string) => void,
  onProgress: OnProgress,
  endLine: () => void,
  before?: ReadonlyMap<string, number>,
): Promise<Upgraded> {
  const db = openDatabase(connection, { connections: 2 });
  const seconds = { first: 0, later: 0 };
  const line = (what: string, ms: number, more = ""): void => {
    endLine();
    out(`  ${what.padEnd(44)} ${inSeconds(ms).padStart(8)}${more && `  ${more}`}`);
  };
  try {
    onProgress({ stage: "Upgrading", done: 0, total: 0 });
    const metadata = await prepareDatabase(db, ({ what, ms, later = [] }: PreparedStep) => {
      seconds.first += ms;
      line(what, ms, later.length > 0 ? `then, while the service runs: ${later.map(inWords).join(", ")}` : "");
    });
    const isFinished = await finishTableWork(
      db,
      metadata,
      ({ table, kind }: PendingWork) => onProgress({ stage: `Working on ${table} (${kind})`, done: 0, total: 0 }),
      (work, ms) => {
        seconds.later += ms;
        line(`${work.table}: ${inWords(work)}`, ms);
      },
    );
    if (!isFinished) out("  The service that is running does the rest.");
    const findings = [
      await checkSchema(db, await readMigrations()),
      ...(await checkIndexes(db, metadata.current())),
      ...(await checkTableWork(db)),
    ].filter(({ level }) => level !== "fine");
    for (const { about, sentence } of findings) out(`  WARNING ${about}: ${sentence}`);
    for (const told of await fewerRows(db, before ?? new Map())) out(`  ${told}`);
    return { seconds, findings };
  } finally {
    await db.close();
  }
}

const inWords = ({ kind, name }: TableWork): string =>
  ({ search: "search text", index: `index ${name}`, reference: `reference ${name}` })[kind];

/** Told, not judged: a migration may have a reason. */
async function fewerRows(db: Database, before: ReadonlyMap<string, number>): Promise<string[]> {
  const told: string[] = [];
  for (const [table, had] of before) {
    const there = await db.row(sql`select to_regclass(${`public."${table}"`})::text as name`);
    const has = there?.name ? Number((await db.row(sql`select count(*)::text as n from ${ident(table)}`))?.n) : 0;
    if (has < had)
      told.push(`${table} has ${has.toLocaleString("en-US")} rows instead of ${had.toLocaleString("en-US")}.`);
  }
  return told;
}

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function read(words: readonly string[]): boolean {
  try {
    return parseArgs({ args: [...words], options: { check: { type: "boolean" } } }).values.check === true;
  } catch (error) {
    throw new BackupFault(`${error instanceof Error ? error.message : String(error)}\n${use}`);
  }
}
