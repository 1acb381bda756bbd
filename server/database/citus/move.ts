// Gives one organization parts of its own in every table, and moves them to a worker, while people work. What was cut off is
// begun again by the same call; Citus removes what is left of it.
import type { Database, Queryable } from "../database.ts";
import { sql } from "../sql.ts";
import { DistributionFault } from "./distribute.ts";
import { ANCHOR, readDistributed } from "./places.ts";

export interface Moved {
  readonly from: string;
  readonly to: string;
  /** Whether it had its own parts before. */
  readonly wasIsolated: boolean;
}

interface Part {
  readonly shard: string;
  readonly node: string;
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
    const workers = await readWorkers(session);
    const before = await readPart(session, organizationId);
    const target = to ?? workers[0] ?? before.node;
    if (!workers.includes(target))
      throw new DistributionFault(`There is no worker ${target}. There are: ${workers.join(", ")}.`);
    await session.script("call citus_cleanup_orphaned_resources()");
    if (!before.isOwn) {
      onStep("Giving the organization parts of its own");
      await session.run(sql`
        select isolate_tenant_to_new_shard(${ANCHOR}::regclass, ${organizationId}::bigint, 'CASCADE', shard_transfer_mode => 'force_logical')`);
    }
    const own = await readPart(session, organizationId);
    if (own.node !== target) {
      onStep(`Moving them from ${own.node} to ${target}`);
      const [host, port] = [hostOf(own.node), hostOf(target)];
      await session.run(sql`
        select citus_move_shard_placement(${own.shard}::bigint, ${host.name}, ${host.port}::integer, ${port.name}, ${port.port}::integer,
          shard_transfer_mode => 'force_logical')`);
    }
    return { from: before.node, to: target, wasIsolated: before.isOwn };
  });
}

const hostOf = (node: string) => {
  const colon = node.lastIndexOf(":");
  return { name: node.slice(0, colon), port: node.slice(colon + 1) };
};

/** The one with the fewest parts first. */
async function readWorkers(db: Queryable): Promise<string[]> {
  const rows = await db.rows(sql`
    select n.nodename || ':' || n.nodeport as name from pg_dist_node n
    left join pg_dist_placement p on p.groupid = n.groupid
      and p.shardid in (select shardid from pg_dist_shard where logicalrelid = ${ANCHOR}::regclass)
    where n.isactive and n.shouldhaveshards and n.noderole = 'primary'
    group by n.nodename, n.nodeport, n.groupid order by count(p.shardid), n.groupid`);
  return rows.map(({ name }) => name ?? "");
}

async function readPart(db: Queryable, organizationId: string): Promise<Part> {
  const row = await db.row(sql`
    select s.shardid::text as shard, n.nodename || ':' || n.nodeport as node, (s.shardminvalue = s.shardmaxvalue)::integer as own
    from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where s.shardid = get_shard_id_for_distribution_column(${ANCHOR}::regclass, ${organizationId}::bigint)`);
  return { shard: row?.shard ?? "", node: row?.node ?? "", isOwn: row?.own === "1" };
}
