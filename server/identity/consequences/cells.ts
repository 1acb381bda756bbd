// Reads the records of a type by what their access depends on: by their sets, which are counted already; or, where a policy would ask for
// something that no recipe tells yet, by a sample of the records themselves.
import { chainOf, parseRecipe, type Recipe } from "../../access/acl.ts";
import { factColumns, factsOfRow } from "../../access/facts/record-facts.ts";
import type { Queryable } from "../../database/database.ts";
import { ident, join, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";

export interface CountedRecipe {
  readonly type: RecordType;
  readonly recipe: Recipe;
  readonly weight: number;
  readonly aclId?: string;
  readonly id?: string;
}

/** Up to so many records are all looked at; of more, about as many. */
const SAMPLE = 2_000;
const POINTS = 200;

/** All sets with live records, of one type or of all. */
export async function countedSets(
  db: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  only: RecordType | undefined,
): Promise<readonly CountedRecipe[]> {
  const which = sql`organization_id = ${organizationId}::bigint ${only ? sql`and record_type = ${only.key}` : sql``}`;
  const { rows } = await db.run(sql`
    select s.record_type, s.id::text, s.recipe, counted.live::text from (
      select acl_id, sum(live) as live from (
        select acl_id, live from core__counters where ${which}
        union all
        select acl_id, delta from core__changes where ${which}) all_of
      group by acl_id having sum(live) > 0) counted
    join core__acl_sets s on s.organization_id = ${organizationId}::bigint and s.id = counted.acl_id`);
  return rows.flatMap(([key, aclId, text, live]) => {
    const type = snapshot.types.get(key ?? "");
    if (!type || aclId == null) return [];
    const recipe = parseRecipe(type.key, text ?? "");
    // What is attached to a type that was taken out of service stays as it is.
    const isKnown = chainOf(recipe).every((one) => snapshot.types.has(one.type));
    return isKnown ? [{ type, recipe, weight: Number(live), aclId }] : [];
  });
}

/** Records with what `asked` wants to know of them. `isExact`: they are all there are. */
export async function sampledRecords(
  db: Queryable,
  organizationId: string,
  type: RecordType,
  sets: readonly CountedRecipe[],
  asked: ReadonlyMap<string, number>,
): Promise<{ readonly cells: readonly CountedRecipe[]; readonly isExact: boolean; readonly looked: number }> {
  const total = sets.reduce((sum, { weight }) => sum + weight, 0);
  const isExact = total <= SAMPLE || type.idKind === "uuid";
  const names = factColumns(type, asked);
  const columns = join(["id", "acl_id", ...names].map((name) => sql`${ident("r", name)}::text as ${ident(name)}`));
  const live = sql`${ident(type.table)} r where r.organization_id = ${organizationId}::bigint and r.deleted = 0`;
  const rows = await db.rows(
    isExact
      ? sql`select ${columns} from ${live} order by r.id limit ${10 * SAMPLE}`
      : // Some records after each of many places: the primary key leads to them, however large the table is.
        sql`with span as (
            select min(r.id) as first, max(r.id) as last from ${ident(type.table)} r where r.organization_id = ${organizationId}::bigint
          ), place as materialized (
            select first + floor(random() * (last - first + 1))::bigint as at from span, generate_series(1, ${POINTS}::integer))
          select distinct found.* from place cross join lateral (
            select ${columns} from ${live} and r.id >= place.at order by r.id limit ${SAMPLE / POINTS}) found`,
  );
  const recipes = new Map(sets.map((one) => [one.aclId ?? "", one.recipe]));
  const known = rows.filter((row) => recipes.has(row.acl_id ?? ""));
  const cells = known.map((row): CountedRecipe => {
    const recipe = recipes.get(row.acl_id ?? "");
    if (!recipe) throw new Error("only those are left that have one");
    const facts = [...(recipe.facts ?? []), ...factsOfRow(type, asked, row)];
    return { type, recipe: { ...recipe, facts }, weight: total / known.length, id: row.id ?? "" };
  });
  return { cells, isExact: isExact && known.length >= total, looked: known.length };
}
