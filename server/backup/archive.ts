// What an archive says of itself: its first member tells what it is, its last what is in it. The last is made of nothing
// but what a reader counts on the way, so that whoever reads compares it whole.
import { createHash, type Hash } from "node:crypto";
import { z } from "zod";

/** Of the container; grows when an older program could no longer read it. */
export const FORMAT = 1;

export const FIRST = "dossier-backup.json";
export const SCHEMA = "schema.json";
export const TOKEN_SECRET = "secrets/token-secret";
export const MISSING_FILES = "missing-files.json";
export const LAST = "end.json";

/** After so many members, a list of their digests. */
export const SUMS_EVERY = 1_000;
/** Two empty blocks end a tar. */
export const END_BYTES = 1_024;

const number6 = (count: number): string => String(count).padStart(6, "0");
export const dataName = (table: string, part: number): string => `data/${table}/${number6(part)}.copy.gz`;
export const fileName = (key: string): string => `files/${key}`;
export const sumsName = (part: number): string => `sums/${number6(part)}.sha256`;

/** As `sha256sum -c` reads it. */
export const sumLine = (digest: string, name: string): string => `${digest}  ${name}\n`;

/** The table that a member holds rows of. */
export const tableOf = (name: string): string | undefined => /^data\/([^/]+)\/\d{6,}\.copy\.gz$/.exec(name)?.[1];
/** The storage key of the file that a member holds. */
export const keyOf = (name: string): string | undefined => /^files\/([0-9a-f]{40})$/.exec(name)?.[1];

const migration = z.object({ number: z.number(), name: z.string(), fingerprint: z.string() });

export const aboutSchema = z.object({
  format: z.number().int(),
  /** The version of the program that wrote it. */
  dossier: z.string(),
  created: z.string(),
  postgres: z.string(),
  migrations: z.array(migration),
  /** Tells whether two services have the same TOKEN_SECRET without telling it. */
  tokenSecretPrint: z.string().nullable(),
});
export type About = z.infer<typeof aboutSchema>;

/** Counted on both sides, while writing and while reading. */
export interface Tally {
  readonly rows: Map<string, number>;
  members: number;
  files: number;
  fileBytes: number;
  bytes: number;
  readonly hash: Hash;
}

export const newTally = (): Tally => ({
  rows: new Map(),
  members: 0,
  files: 0,
  fileBytes: 0,
  bytes: 0,
  hash: createHash("sha256"),
});

export const addRows = (tally: Tally, table: string, rows: number): void => {
  tally.rows.set(table, (tally.rows.get(table) ?? 0) + rows);
};

/** The text of the last member, for what came before it. */
export const lastText = (tally: Tally): string =>
  `${JSON.stringify(
    {
      members: tally.members,
      rows: Object.fromEntries(tally.rows),
      files: tally.files,
      fileBytes: tally.fileBytes,
      bytes: tally.bytes,
      sha256: tally.hash.copy().digest("hex"),
    },
    undefined,
    2,
  )}\n`;

export interface Contents {
  readonly about: About;
  readonly rows: number;
  readonly files: number;
  /** Of the whole archive. */
  readonly bytes: number;
  /** Files that the records name and the file store no longer had. */
  readonly missingFiles: readonly string[];
}

export const sumOf = (counts: Iterable<number>): number => [...counts].reduce((sum, count) => sum + count, 0);
