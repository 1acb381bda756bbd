// Takes the tables of a database and which types are shared; gives what becomes of each when the database is distributed. Pure but
// for reading the catalog.
import type { Queryable } from "../database.ts";
import { localTables, referenceTables } from "../distribution.ts";
import { sql } from "../sql.ts";
import { ANCHOR } from "./distributed.ts";

export interface ExistingTable {
  readonly name: string;
  readonly hasOrganization: boolean;
  readonly isPlaced: boolean;
}

export interface DistributionPlan {
  /** By organization, each organization's rows on one machine. The first one is where the others follow. */
  readonly distributed: readonly string[];
  /** On every machine. */
  readonly reference: readonly string[];
  /** On the coordinator alone. */
  readonly local: readonly string[];
  /** Nobody has said where they belong: nothing is done before that is told. */
  readonly unknown: readonly string[];
}

export function planDistribution(tables: readonly ExistingTable[], shared: ReadonlySet<string>): DistributionPlan {
  const classOf = ({ name, hasOrganization }: ExistingTable): keyof DistributionPlan => {
    if (localTables.includes(name)) return "local";
    if (referenceTables.includes(name) || shared.has(name)) return "reference";
    return hasOrganization ? "distributed" : "unknown";
  };
  const of = (wanted: keyof DistributionPlan) =>
    tables.filter((table) => classOf(table) === wanted).map(({ name }) => name);
  const distributed = of("distributed");
  return {
    distributed: [...distributed.filter((name) => name === ANCHOR), ...distributed.filter((name) => name !== ANCHOR)],
    reference: of("reference"),
    local: of("local"),
    unknown: of("unknown"),
  };
}

/** What other programs keep beside ours is left alone: see `own` in backup/schema.ts. */
const ownName = "^(dossier_|[a-z0-9_]+__)";

/** `isCitus`: whether the extension is there. */
export async function readTables(db: Queryable, isCitus: boolean): Promise<ExistingTable[]> {
  const placed = isCitus ? sql`exists (select from pg_dist_partition p where p.logicalrelid = c.oid)` : sql`false`;
  const rows = await db.rows(sql`
    select c.relname as name, ${placed}::integer as placed, exists (select from pg_attribute a
      where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped)::integer as owned
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname ~ ${ownName} and c.relname <> ${DISTRIBUTION_MARK} order by 1`);
  return rows.map((row) => ({
    name: row.name ?? "",
    hasOrganization: row.owned === "1",
    isPlaced: row.placed === "1",
  }));
}

/** There from the beginning of a distribution until its end: what has to be made again on the distributed tables. */
export const DISTRIBUTION_MARK = "dossier_distribution";
