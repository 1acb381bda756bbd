// Takes the numbered SQL files of migrations/; applies each that is missing, in order, in a transaction of its own.
// Any number of processes may start at once: one applies, the others wait. Never goes backwards.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { root } from "../lib/root.ts";
import { readApplied, requireNotNewer } from "./applied-migrations.ts";
import { openTablePlaces } from "./citus/new-tables.ts";
import { DISTRIBUTION_MARK } from "./citus/plan.ts";
import type { Database, Queryable } from "./database.ts";
import { lockTables } from "./locks.ts";
import type { Session } from "./session.ts";
import { sql } from "./sql.ts";

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  /** What it says to a distributed database, where that takes other words. */
  readonly distributed?: string | undefined;
}

/** One lock for everything that changes the shape of the database. */
export const SCHEMA_LOCK = 7_361_001;

/** The folder of those that say something else to a distributed database. Like the others, they never change. */
const DISTRIBUTED = "distributed";

export async function readMigrations(
  folder: string = path.join(root, "server/database/migrations"),
): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const others = await readdir(path.join(folder, DISTRIBUTED)).catch((): string[] => []);
  const numbers = names.map((name) => Number.parseInt(name, 10));
  return Promise.all(
    names.map(async (name, index) => {
      const number = numbers[index] ?? 0;
      // A gap is a number that is taken on a branch: what arrives later is applied then, wherever it stands.
      if (!(number > (numbers[index - 1] ?? 0))) throw new Error(`each migration needs a number of its own: ${name}`);
      const text = await readFile(path.join(folder, name), "utf8");
      if (!others.includes(name)) return { number, name, text };
      return { number, name, text, distributed: await readFile(path.join(folder, DISTRIBUTED, name), "utf8") };
    }),
  );
}

/** How somebody waits for the schema lock who does not wait as long as it takes. */
export interface SchemaPatience {
  /** After that it is a lock timeout. */
  readonly patience: "1s";
  /** Done before it is asked for, on the same connection: locks that are taken here end with it. */
  readonly first: (session: Session) => Promise<void>;
}

/** Runs `work` while no other process changes the schema. */
export function withSchemaLock<T>(
  db: Database,
  work: (session: Session) => Promise<T>,
  tried?: SchemaPatience,
): Promise<T> {
  return db.session(async (session) => {
    // What changes tables takes as long as their rows make it take.
    await session.script("set statement_timeout = 0; set lock_timeout = 0");
    await tried?.first(session);
    if (tried) await session.script(`set lock_timeout = '${tried.patience}'`);
    await session.run(sql`select pg_advisory_lock(${SCHEMA_LOCK})`);
    if (tried) await session.script("reset lock_timeout");
    return work(session);
  });
}

export const fingerprint = (text: string): string => createHash("sha256").update(text).digest("hex");

/** There from the beginning of a restore until all of it is committed. */
export const RESTORE_MARK = "dossier_restore";

/** While a restore is at work it has the schema lock: whoever finds its mark here finds one that was cut off. */
async function requireNoRestore(session: Queryable): Promise<void> {
  const mark = await session.row(sql`select to_regclass(${`public.${RESTORE_MARK}`})::text as name`);
  if (!mark?.name) return;
  const cut = await session.row(sql`select archive, began::text as began from dossier_restore`);
  throw new Error(
    `A restore of ${cut?.archive ?? "a backup"} into this database, begun at ${cut?.began ?? "some time"} UTC, was cut off. ` +
      'The data is as it was before. Run "dossier restore" with that file again, or "dossier restore --cancel" to go on without it.',
  );
}

/** While a database is half distributed, nothing else may change it. */
async function requireNoDistribution(session: Queryable): Promise<void> {
  const mark = await session.row(sql`select to_regclass(${`public.${DISTRIBUTION_MARK}`})::text as name`);
  if (!mark?.name) return;
  throw new Error(
    'A distribution of this database was cut off. Nothing is lost: run "dossier distribute" again to finish it.',
  );
}

/** Gives the names of the migrations that this call applied. `onApplied` is told how long each took. */
export async function migrate(
  db: Database,
  migrations: readonly Migration[],
  onApplied?: (name: string, ms: number) => void,
): Promise<string[]> {
  return withSchemaLock(db, async (session) => {
    await requireNoRestore(session);
    await requireNoDistribution(session);
    await session.script(
      "create table if not exists dossier_migrations (number integer primary key, name text not null, " +
        "fingerprint text not null, applied timestamp(0) not null default (now() at time zone 'utc'))",
    );
    const applied = await readApplied(session);
    requireNotNewer(applied, migrations);
    const fresh: string[] = [];
    for (const migration of migrations) {
      const before = applied.prints.get(migration.number);
      const print = fingerprint(migration.text);
      if (before !== undefined) {
        if (before !== print) {
          throw new Error(`Migration ${migration.name} was changed after it had been applied; add a new one instead.`);
        }
        continue;
      }
      const began = performance.now();
      await session.script("begin");
      try {
        await lockTables(session);
        const places = await openTablePlaces(session);
        await places.migrate(migration);
        await places.placeAll();
        await session.run(
          sql`insert into dossier_migrations (number, name, fingerprint) values (${migration.number}, ${migration.name}, ${print})`,
        );
        await session.script("commit");
      } catch (error) {
        await session.script("rollback").catch(() => undefined);
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`Migration ${migration.name} failed and left nothing behind: ${reason}`, { cause: error });
      }
      fresh.push(migration.name);
      onApplied?.(migration.name, performance.now() - began);
    }
    return fresh;
  });
}
