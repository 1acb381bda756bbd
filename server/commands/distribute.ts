// `dossier distribute`: takes its words and the settings; shows what will be done, distributes the database over the workers of a
// Citus coordinator, or moves one organization to a worker.
import { parseArgs } from "node:util";
import type { Config } from "../config.ts";
import { DistributionFault, distribute, readSituation, type Situation } from "../database/citus/distribute.ts";
import { moveOrganization, requireDistributed } from "../database/citus/move.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { findOrganization } from "../identity/manage-users.ts";
import { readSnapshot } from "../metadata/store.ts";
import { builtInTypes } from "../modules/index.ts";
import { requireKnownDatabase } from "./known-database.ts";

const use = `Usage: dossier distribute [--shards NUMBER]  distribute the tables over the workers of a Citus coordinator
       dossier distribute --plan             show what would be done, and do nothing
       dossier distribute --move ORGANIZATION [--to HOST:PORT]
                                             move one organization (its id or name) to another worker, while people work`;

const options = {
  plan: { type: "boolean" },
  shards: { type: "string" },
  move: { type: "string" },
  to: { type: "string" },
} as const;

const MOST_SHARDS = 1_024;

export async function distributeCommand(
  config: Config,
  words: readonly string[],
  out: (line: string) => void = console.log,
): Promise<void> {
  const values = read(words);
  if (config.databaseUrl === undefined) {
    throw new DistributionFault(
      "Set DATABASE_URL to a database on a Citus coordinator. The embedded database cannot be distributed.",
    );
  }
  const connection = { connectionString: config.databaseUrl };
  await requireKnownDatabase(connection, "current");
  const db = openDatabase(connection, { connections: 1 });
  try {
    await (values.move === undefined ? distributeAll(db, values, out) : moveOne(db, values.move, values.to, out));
  } finally {
    await db.close();
  }
}

async function distributeAll(db: Database, { plan: isDry, shards }: Words, out: (line: string) => void): Promise<void> {
  const count = shards === undefined ? 32 : Number(shards);
  if (!Number.isInteger(count) || count < 1 || count > MOST_SHARDS)
    throw new DistributionFault(`--shards takes a number from 1 to ${MOST_SHARDS}.`);
  const snapshot = await readSnapshot(db, builtInTypes);
  const shared = [...snapshot.types.values()].filter(({ scope }) => scope === "shared").map(({ table }) => table);
  const situation = await readSituation(db, new Set(shared));
  for (const line of inWords(situation, count)) out(line);
  if (situation.obstacle !== undefined) throw new DistributionFault(situation.obstacle);
  if (isDry) return;
  await distribute(db, situation, count, (done, total, what) => out(`${done}/${total} ${what}`));
  out("The database is distributed. Start the service now.");
}

async function moveOne(
  db: Database,
  named: string,
  to: string | undefined,
  out: (line: string) => void,
): Promise<void> {
  await requireDistributed(db);
  const organization = await findOrganization(db, named);
  const moved = await moveOrganization(db, organization, to, (step) => out(`${step}…`));
  out(
    moved.from === moved.to
      ? `Organization ${named} has parts of its own on ${moved.to}.`
      : `Organization ${named} moved from ${moved.from} to ${moved.to}.`,
  );
}

const list = (names: readonly string[]): string => names.map((name) => `  ${name}`).join("\n");

function inWords({ plan, placed, workers, isCutOff }: Situation, shards: number): string[] {
  const left = [...plan.distributed, ...plan.reference].filter((name) => !placed.includes(name));
  return [
    `Workers: ${workers.join(", ") || "none"}`,
    `By organization, in ${shards} parts (${plan.distributed.length} tables):`,
    list(plan.distributed),
    `A copy on every machine (${plan.reference.length} tables):`,
    list(plan.reference),
    `On the coordinator alone (${plan.local.length} tables):`,
    list(plan.local),
    ...(plan.unknown.length > 0 ? [`Without a place (${plan.unknown.length} tables):`, list(plan.unknown)] : []),
    ...(isCutOff ? ["An earlier distribution was cut off; this one finishes it."] : []),
    `${left.length} of ${plan.distributed.length + plan.reference.length} tables still have to be distributed.`,
  ];
}

type Words = ReturnType<typeof read>;

function read(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: false }).values;
  } catch (error) {
    throw new DistributionFault(`${error instanceof Error ? error.message : String(error)}\n${use}`);
  }
}
