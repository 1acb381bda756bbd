// What the processes on one database must have in common: the secret that tokens are signed with, and the place of uploaded
// files. Each process that lives holds shared locks named by fingerprints of its own; who starts compares. Never keeps a secret.
import { createHash, hkdfSync } from "node:crypto";
import type { Config } from "../../config.ts";
import type { Queryable } from "../database.ts";
import { FILES_LOCK, SECRET_LOCK } from "../locks.ts";
import { sql } from "../sql.ts";

/** Two numbers of an advisory lock: of its kind, and a fingerprint. */
export interface PeerLock {
  readonly kind: number;
  readonly print: number;
}

const positive = (bytes: Buffer): number => bytes.readUInt32BE(0) & 0x7fff_ffff;

/** Thirty-one bits tell two secrets apart, and tell nobody what they are. */
export const secretLock = (secret: string): PeerLock => ({
  kind: SECRET_LOCK,
  print: positive(Buffer.from(hkdfSync("sha256", secret, "", "dossier fingerprint", 4))),
});

export const filesLock = (place: string): PeerLock => ({
  kind: FILES_LOCK,
  print: positive(createHash("sha256").update(place).digest()),
});

/** Remembers the fingerprint for the next start. Gives whether the last one had another. */
export async function rememberLock(db: Queryable, { kind, print }: PeerLock): Promise<boolean> {
  const name = kind === SECRET_LOCK ? "token_secret" : "files";
  const before = await db.row(sql`select value from dossier_state where name = ${name}`);
  if (before?.value === String(print)) return false;
  await db.run(sql`
    insert into dossier_state (name, value) values (${name}, ${String(print)})
    on conflict (name) do update set value = excluded.value, changed = now() at time zone 'utc'`);
  return before !== undefined;
}

/** Fingerprints of a kind by how many living processes have each. */
export async function readPeers(db: Queryable, kind: number): Promise<ReadonlyMap<number, number>> {
  const rows = await db.rows(sql`
    select objid::bigint::text as print, count(*)::text as count from pg_locks
    where locktype = 'advisory' and objsubid = 2 and classid::bigint = ${kind}::bigint and granted
      and database = (select oid from pg_database where datname = current_database())
    group by objid`);
  return new Map(rows.map((row) => [Number(row.print), Number(row.count)]));
}

/** How many processes serve this database. */
export async function countPeers(db: Queryable): Promise<number> {
  return [...(await readPeers(db, SECRET_LOCK)).values()].reduce((sum, count) => sum + count, 0);
}

export async function differsFromPeers(db: Queryable, { kind, print }: PeerLock): Promise<boolean> {
  return [...(await readPeers(db, kind)).keys()].some((other) => other !== print);
}

/** What a start says in the log where it went on all the same. */
export const warnings = {
  secretChanged:
    "the token secret is not the one of the last start: everybody has to sign in again, and authenticator apps have to be " +
    "set up again. If that was not meant, stop the service and give it the earlier TOKEN_SECRET.",
  filesElsewhere:
    "other processes on this database keep uploaded files elsewhere, so each lacks the other's. Give all of them the same " +
    "folder DATA_DIR/files, or the same bucket (FILES_S3_…).",
  otherHistory:
    "the database was recovered, copied or taken over by a standby since the last start: programs that follow changes are told to " +
    "begin again.",
  filesMoved:
    "uploaded files are not where the last start kept them. If they were not moved along, give the service its earlier " +
    "DATA_DIR or bucket (FILES_S3_…).",
} as const;

export function otherSecret({ dataDir, tokenSecret }: Pick<Config, "dataDir" | "tokenSecret">): Error {
  const ours = tokenSecret
    ? "TOKEN_SECRET is not theirs"
    : `TOKEN_SECRET is not set, and ${dataDir} has a secret of its own`;
  return new Error(
    "other processes on this database sign their tokens with another secret, so each would refuse the other's sessions. " +
      `${ours}: give every process the same TOKEN_SECRET. To change it, stop all of them first.`,
  );
}
