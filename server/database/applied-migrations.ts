// Which migrations a database has, compared with those that this program knows: a newer database is refused, by every
// command alike. Reads only.
import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

export interface AppliedMigrations {
  /** Fingerprints by number. */
  readonly prints: ReadonlyMap<number, string>;
  /** Of the program that last brought the database up to date; older ones did not say. */
  readonly version: string | undefined;
}

interface Numbered {
  readonly number: number;
}

/** Kept in dossier_state. */
export const VERSION_NAME = "version";

/** Of an empty database: none. */
export async function readApplied(db: Queryable): Promise<AppliedMigrations> {
  const here = await db.row(sql`
    select to_regclass('public.dossier_migrations')::text as migrations, to_regclass('public.dossier_state')::text as state`);
  const rows = here?.migrations ? await db.rows(sql`select number, fingerprint from dossier_migrations`) : [];
  const state = here?.state
    ? await db.row(sql`select value from dossier_state where name = ${VERSION_NAME}`)
    : undefined;
  return {
    prints: new Map(rows.map((row) => [Number(row.number), row.fingerprint ?? ""])),
    version: state?.value ?? undefined,
  };
}

/** The database has what this program does not know. */
export class NewerDatabase extends Error {}

export function requireNotNewer({ prints, version }: AppliedMigrations, migrations: readonly Numbered[]): void {
  const known = new Set(migrations.map(({ number }) => number));
  const unknown = [...prints.keys()].filter((number) => !known.has(number));
  if (unknown.length === 0) return;
  const who = [...(version === undefined ? [] : [version]), `migration ${Math.max(...unknown)}`].join(", ");
  throw new NewerDatabase(
    `This database was upgraded by a newer Dossier (${who}). Run that version or a newer one. ` +
      'To go back, restore a backup made before the upgrade with "dossier restore FILE --replace".',
  );
}

/** The migrations that this program would apply. */
export const missingMigrations = <T extends Numbered>({ prints }: AppliedMigrations, migrations: readonly T[]): T[] =>
  migrations.filter(({ number }) => !prints.has(number));

export const EMPTY = "This database holds no Dossier data. Start the service once to fill it.";

/** For what works on the tables as this program knows them. */
export function requireCurrent(applied: AppliedMigrations, migrations: readonly Numbered[]): void {
  requireNotNewer(applied, migrations);
  const missing = missingMigrations(applied, migrations).length;
  if (missing === 0) return;
  if (applied.prints.size === 0) throw new Error(EMPTY);
  throw new Error(
    `This database is of an older Dossier: ${missing === 1 ? "1 migration is" : `${missing} migrations are`} not applied yet. ` +
      'Start the service, or run "dossier upgrade", first.',
  );
}
