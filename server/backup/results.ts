// How backups went: written when one has ended, read by whoever wants to know. Nothing is written while one runs, so that
// a process that dies leaves nothing to tidy.
import { hostname } from "node:os";
import type pg from "pg";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Contents } from "./archive.ts";
import { openConnection } from "./connection.ts";

export interface BackupResult {
  readonly kind: "scheduled" | "manual";
  readonly file: string;
  /** Seconds since 1970. */
  readonly began: number;
  readonly outcome: Contents | { readonly failure: string };
}

/** Older ones are of no use to anybody. */
const KEPT = 1_000;

export async function recordResult(connection: pg.ClientConfig, result: BackupResult): Promise<void> {
  const { client, close } = await openConnection(connection, "dossier backup");
  const { outcome } = result;
  const failure = "failure" in outcome ? outcome.failure : null;
  const [bytes, rows, files] = "failure" in outcome ? [null, null, null] : [outcome.bytes, outcome.rows, outcome.files];
  try {
    const { rows: found } = await client.query<{ here: string | null }>(
      "select to_regclass('public.dossier_backups')::text as here",
    );
    // A database of an older version has no such table.
    if (!found[0]?.here) return;
    await client.query(
      `insert into public.dossier_backups (kind, file, host, began, bytes, row_count, file_count, failure)
       values ($1, $2, $3, date_trunc('second', to_timestamp($4) at time zone 'utc'), $5, $6, $7, $8)`,
      [result.kind, result.file, hostname(), result.began, bytes, rows, files, failure],
    );
    await client.query(
      "delete from public.dossier_backups where id <= (select max(id) from public.dossier_backups) - $1",
      [KEPT],
    );
  } finally {
    await close();
  }
}

export interface LastBackups {
  /** Seconds since 1970 of the end of the last that succeeded; undefined: none did. */
  readonly succeeded: number | undefined;
  readonly seconds: number | undefined;
  readonly bytes: number | undefined;
  /** Why the newest one failed; undefined where it did not, or there is none. */
  readonly failure: string | undefined;
}

/** For the metrics, and for whoever looks after the service. */
export async function readLastBackups(db: Queryable): Promise<LastBackups> {
  const success = await db.row(sql`
    select extract(epoch from ended)::bigint::text as ended, extract(epoch from ended - began)::bigint::text as seconds,
      bytes::text as bytes
    from dossier_backups where failure is null order by id desc limit 1`);
  const newest = await db.row(sql`select failure from dossier_backups order by id desc limit 1`);
  return {
    succeeded: success && Number(success.ended),
    seconds: success && Number(success.seconds),
    bytes: success && Number(success.bytes),
    failure: newest?.failure ?? undefined,
  };
}
