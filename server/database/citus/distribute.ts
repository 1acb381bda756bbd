// Distributes the tables of a prepared database over the workers of a Citus coordinator, step by step. Each step is a transaction;
// whoever is killed goes on from the next one. Never while a service runs.
import type { Database, Queryable } from "../database.ts";
import { SCHEMA_LOCK } from "../migrate.ts";
import { countPeers } from "../processes/peers.ts";
import { ident, quote, sql } from "../sql.ts";
import { ANCHOR } from "./distributed.ts";
import { placeText, prepareForTables } from "./new-tables.ts";
import { DISTRIBUTION_MARK, type DistributionPlan, planDistribution, readTables } from "./plan.ts";

export class DistributionFault extends Error {}

export interface Situation {
  readonly plan: DistributionPlan;
  /** Tables that have their place already. */
  readonly placed: readonly string[];
  readonly workers: readonly string[];
  /** One that was begun and has not ended. */
  readonly isCutOff: boolean;
  /** Why it cannot be done. */
  readonly obstacle: string | undefined;
}

export async function readSituation(db: Queryable, shared: ReadonlySet<string>): Promise<Situation> {
  const citus = await db.row(sql`select 1 as found from pg_extension where extname = 'citus'`);
  const tables = await readTables(db, citus !== undefined);
  const workers = citus
    ? await db.rows(sql`
        select nodename || ':' || nodeport as name from pg_dist_node
        where isactive and shouldhaveshards and noderole = 'primary' order by groupid`)
    : [];
  const mark = await db.row(sql`select to_regclass(${`public.${DISTRIBUTION_MARK}`})::text as name`);
  return {
    plan: planDistribution(tables, shared),
    placed: tables.filter(({ isPlaced }) => isPlaced).map(({ name }) => name),
    workers: workers.map(({ name }) => name ?? ""),
    isCutOff: mark?.name != null,
    obstacle: citus ? (workers.length > 0 ? undefined : noWorkers) : noExtension,
  };
}

const noExtension =
  'This database has no citus extension. Run "create extension citus" in it, on the coordinator and on every worker, ' +
  "and add the workers with citus_add_node. See docs/deploying.md.";
const noWorkers =
  "The coordinator has no workers. Say how they reach it with citus_set_coordinator_host, then add each with " +
  "citus_add_node. See docs/deploying.md.";

const serviceRuns = (count: number): string =>
  `${count === 1 ? "A service is" : `${count} services are`} running on this database. Stop ${count === 1 ? "it" : "them"} first: ` +
  "rows that are written while tables move would be lost.";

/** `shards`: into how many parts each table goes. */
export async function distribute(
  db: Database,
  { plan, placed, obstacle }: Situation,
  shards: number,
  onStep: (done: number, total: number, table: string) => void,
): Promise<void> {
  if (obstacle !== undefined) throw new DistributionFault(obstacle);
  const [unknown] = plan.unknown;
  if (unknown !== undefined)
    throw new DistributionFault(
      `The table ${unknown} has no place in the plan. Move it out of the schema "public" first.`,
    );
  await db.session(async (session) => {
    await session.script("set statement_timeout = 0");
    const lock = await session.row(sql`select pg_try_advisory_lock(${SCHEMA_LOCK})::integer as held`);
    try {
      const peers = await countPeers(session);
      if (peers > 0) throw new DistributionFault(serviceRuns(peers));
      if (lock?.held !== "1")
        throw new DistributionFault(
          "Another process is changing the tables of this database. Try again when it has ended.",
        );
      await placeAll(session, { plan, placed }, shards, onStep);
    } finally {
      await session.script("reset statement_timeout").catch(() => undefined);
      if (lock?.held === "1") await session.run(sql`select pg_advisory_unlock(${SCHEMA_LOCK})`).catch(() => undefined);
    }
  });
}

async function placeAll(
  session: Queryable,
  { plan, placed }: Pick<Situation, "plan" | "placed">,
  shards: number,
  onStep: (done: number, total: number, table: string) => void,
): Promise<void> {
  await takeOff(session);
  const todo = [...plan.reference, ...plan.distributed].filter((table) => !placed.includes(table));
  let done = 0;
  for (const table of todo) {
    onStep(done, todo.length, table);
    await inTransaction(session, () => placeOne(session, table, plan.reference.includes(table), shards));
    done += 1;
  }
  onStep(done, todo.length, "foreign keys");
  await putBack(session);
}

const inTransaction = async (session: Queryable, work: () => Promise<unknown>): Promise<void> => {
  await session.script(`begin; ${prepareForTables}`);
  try {
    await work();
    await session.script("commit");
  } catch (error) {
    await session.script("rollback").catch(() => undefined);
    throw error;
  }
};

/** Foreign keys stand in the way: each is written down before it goes. */
const takeOff = (session: Queryable): Promise<void> =>
  inTransaction(session, async () => {
    await session.script(
      `create table if not exists ${DISTRIBUTION_MARK} (table_name text, name text, definition text, primary key (table_name, name))`,
    );
    await session.run(sql`
      insert into ${ident(DISTRIBUTION_MARK)} (table_name, name, definition)
      select k.conrelid::regclass::text, quote_ident(k.conname), pg_get_constraintdef(k.oid)
      from pg_constraint k
      where k.contype = 'f' and k.connamespace = 'public'::regnamespace
        and not exists (select from pg_dist_partition p where p.logicalrelid = k.conrelid)
      on conflict do nothing`);
    const kept = await session.rows(sql`select table_name, name from ${ident(DISTRIBUTION_MARK)}`);
    for (const { table_name: table, name } of kept)
      await session.script(`alter table ${table} drop constraint if exists ${name}`);
  });

async function placeOne(session: Queryable, table: string, isReference: boolean, shards: number): Promise<void> {
  const unlogged = await session.row(sql`
    select 1 as found from pg_class where oid = ${quote(table)}::regclass and relpersistence = 'u'`);
  // Its rows could not be moved to another machine while people work.
  if (unlogged) await session.script(`alter table ${quote(table)} set logged`);
  // What is never truncated is truncated here: the coordinator's own rows, once they are with the workers.
  const guards = await session.rows(sql`
    select quote_ident(tgname) as name, pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = ${quote(table)}::regclass and not tgisinternal and tgtype & 32 = 32`);
  for (const { name } of guards) await session.script(`drop trigger ${name} on ${quote(table)}`);
  await session.script(
    table === ANCHOR
      ? `select create_distributed_table('${table}', 'organization_id', colocate_with := 'none', shard_count := ${shards})`
      : placeText(table, isReference ? "shared" : "organization"),
  );
  await session.run(sql`select truncate_local_data_after_distributing_table(${quote(table)}::regclass)`);
  for (const { definition } of guards) await session.script(definition ?? "");
}

async function putBack(session: Queryable): Promise<void> {
  const kept = await session.rows(sql`
    select table_name, name, definition from ${ident(DISTRIBUTION_MARK)} order by table_name, name`);
  for (const { table_name: table, name, definition } of kept) {
    await inTransaction(session, async () => {
      await session.script(`alter table ${table} add constraint ${name} ${definition}`);
      await session.run(sql`
        delete from ${ident(DISTRIBUTION_MARK)} where table_name = ${table ?? ""} and name = ${name ?? ""}`);
    });
  }
  await session.script(`drop table ${DISTRIBUTION_MARK}`);
}
