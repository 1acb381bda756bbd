// Gives one organization parts of its own in every table, and moves them to a worker, while people work. What was cut off is
// begun again by the same call; Citus removes what is left of it.
import type { Database, Queryable } from "../database.ts";
import { sql } from "../sql.ts";
import { DistributionFault } from "./distribute.ts";
import { ANCHOR, readDistributed } from "./distributed.ts";

export interface Moved {
  readonly from: string;
  readonly to: string;
  /** Whether it had its own parts before. */
  readonly wasIsolated: boolean;
}

interface Part {
  readonly shard: string;
  readonly node: string;
  /** Which hashes it has. */
  readonly least: string;
  readonly most: string;
  readonly isOwn: boolean;
}

export async function requireDistributed(db: Queryable): Promise<void> {
  if (!(await readDistributed(db)))
    throw new DistributionFault('This database is not distributed. Run "dossier distribute" first.');
}

/** `to`: a worker as host:port; undefined: the one with the fewest parts. */
export async function moveOrganization(
  db: Database,
  organizationId: string,
  to: string | undefined,
  onStep: (step: string) => void,
): Promise<Moved> {
  return db.session(async (session) => {
    await session.script("set statement_timeout = 0; set citus.max_cached_conns_per_worker to 0");
    try {
      await giveWayLast(session);
      return await move(session, organizationId, to, onStep);
    } finally {
      await session
        .script("reset statement_timeout; reset citus.max_cached_conns_per_worker; reset deadlock_timeout")
        .catch(() => undefined);
    }
  });
}

/**
 * At the end it takes one lock after the other, of tables that writers take in another order. Whoever finds out first gives way: that is to
 * be a writer, which begins anew, and not this, after all that was copied.
 */
const giveWayLast = (session: Queryable): Promise<unknown> =>
  session.run(sql`
    select set_config('deadlock_timeout', '1h', false) from pg_roles where rolname = current_user and rolsuper`);

async function move(
  session: Queryable,
  organizationId: string,
  to: string | undefined,
  onStep: (step: string) => void,
): Promise<Moved> {
  const workers = await readWorkers(session);
  const before = await readPart(session, organizationId);
  const target = to ?? workers[0]?.name ?? before.node;
  if (!workers.some(({ name }) => name === target))
    throw new DistributionFault(
      `There is no worker ${target}. There are: ${workers.map(({ name }) => name).join(", ")}.`,
    );
  await session.script("call citus_cleanup_orphaned_resources()");
  if (!before.isOwn) {
    onStep("Giving the organization parts of its own");
    await isolate(session, organizationId, before, workers, target, onStep);
  }
  const own = await readPart(session, organizationId);
  if (own.node !== target) {
    onStep(`Moving them from ${own.node} to ${target}`);
    await movePart(session, own.shard, own.node, target);
  }
  return { from: before.node, to: target, wasIsolated: before.isOwn };
}

/**
 * On another worker: where the new parts are beside the old one, Citus loses its way when somebody writes before their keys are there.
 * Those of the others are moved back.
 */
async function isolate(
  session: Queryable,
  organizationId: string,
  before: Part,
  workers: readonly Worker[],
  target: string,
  onStep: (step: string) => void,
): Promise<void> {
  const elsewhere =
    workers.find(({ name }) => name === target && name !== before.node) ??
    workers.find(({ name }) => name !== before.node);
  if (!elsewhere) {
    await session.run(sql`
      select isolate_tenant_to_new_shard(${ANCHOR}::regclass, ${organizationId}::bigint, 'CASCADE', shard_transfer_mode => 'force_logical')`);
    return;
  }
  const points = await session.rows(sql`
    select points.point::text as at from pg_dist_shard s, worker_hash(${organizationId}::bigint) as own,
      lateral (values (own::bigint - 1), (own::bigint)) as points(point)
    where s.shardid = ${before.shard}::bigint and point >= s.shardminvalue::bigint and point < s.shardmaxvalue::bigint order by points.point`);
  await session.run(sql`
    select citus_split_shard_by_split_points(${before.shard}::bigint, ${points.map(({ at }) => at ?? "")}::text[],
      array_fill(${elsewhere.id}::integer, array[${points.length + 1}::integer]), shard_transfer_mode => 'force_logical')`);
  const others = await session.rows(sql`
    select distinct s.shardid::text as shard from access_controls__organization_list l
    join pg_dist_shard s on s.shardid = get_shard_id_for_distribution_column(${ANCHOR}::regclass, l.organization_id)
    where s.shardminvalue::bigint between ${before.least}::bigint and ${before.most}::bigint and l.organization_id <> ${organizationId}::bigint`);
  for (const { shard } of others) {
    onStep(`Moving other organizations back to ${before.node}`);
    await movePart(session, shard ?? "", elsewhere.name, before.node);
  }
}

const movePart = (session: Queryable, shard: string, from: string, to: string): Promise<unknown> => {
  const [source, target] = [hostOf(from), hostOf(to)];
  return session.run(sql`
    select citus_move_shard_placement(${shard}::bigint, ${source.name}, ${source.port}::integer, ${target.name}, ${target.port}::integer,
      shard_transfer_mode => 'force_logical')`);
};

const hostOf = (node: string) => {
  const colon = node.lastIndexOf(":");
  return { name: node.slice(0, colon), port: node.slice(colon + 1) };
};

interface Worker {
  readonly id: string;
  /** host:port */
  readonly name: string;
}

/** The one with the fewest parts first. */
async function readWorkers(db: Queryable): Promise<Worker[]> {
  const rows = await db.rows(sql`
    select n.nodeid::text as id, n.nodename || ':' || n.nodeport as name from pg_dist_node n
    left join pg_dist_placement p on p.groupid = n.groupid
      and p.shardid in (select shardid from pg_dist_shard where logicalrelid = ${ANCHOR}::regclass)
    where n.isactive and n.shouldhaveshards and n.noderole = 'primary'
    group by n.nodeid, n.nodename, n.nodeport, n.groupid order by count(p.shardid), n.groupid`);
  return rows.map(({ id, name }) => ({ id: id ?? "", name: name ?? "" }));
}

async function readPart(db: Queryable, organizationId: string): Promise<Part> {
  const row = await db.row(sql`
    select s.shardid::text as shard, n.nodename || ':' || n.nodeport as node, s.shardminvalue as least, s.shardmaxvalue as most
    from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where s.shardid = get_shard_id_for_distribution_column(${ANCHOR}::regclass, ${organizationId}::bigint)`);
  const { shard, node, least, most } = row ?? {};
  return { shard: shard ?? "", node: node ?? "", least: least ?? "", most: most ?? "", isOwn: least === most };
}
