// What is known of a data folder once it is built: how many leads there are, and which of them each caller reads. It lies
// beside the data as bench.json.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

/** Moves when the data would come out differently: folders of another version are built again. */
export const DATA_VERSION = 1;

const reader = z.object({
  /** How many leads. */
  readable: z.number(),
  /** Access sets of leads; undefined where all may be read. */
  aclIds: z.array(z.string()).optional(),
});

const schema = z.object({
  version: z.literal(DATA_VERSION),
  rows: z.number(),
  seed: z.number(),
  organizationId: z.string(),
  readers: z.object({ administrator: reader, half: reader, few: reader }),
  /** Leads by status, of all. */
  statuses: z.record(z.string(), z.number()),
});

export type Universe = z.infer<typeof schema>;

const fileOf = (folder: string): string => path.join(folder, "bench.json");

export function readUniverse(folder: string): Universe | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(fileOf(folder), "utf8")));
  } catch {
    return undefined;
  }
}

export const writeUniverse = (folder: string, universe: Universe): void =>
  writeFileSync(fileOf(folder), JSON.stringify(universe));

/** `10k`, `1m`, or a plain number. */
export function rowsOf(size: string): number {
  const [, count, unit = ""] = /^(\d+)([km]?)$/i.exec(size) ?? [];
  const rows = Number(count) * ({ k: 1_000, m: 1_000_000 }[unit.toLowerCase()] ?? 1);
  if (!(rows >= 100)) throw new Error(`"${size}" is not a size: name at least 100 rows, as 10k, 1m or 10m`);
  return rows;
}
