// What must hold when a soak is over, read from the database itself: everything acknowledged is there; counts, access recipes,
// history and stages agree with the records.
import { recipeText } from "../../server/access/acl.ts";
import { foldChanges } from "../../server/database/changes.ts";
import type { Database } from "../../server/database/database.ts";
import { ident, join, sql } from "../../server/database/sql.ts";
import type { RecordType } from "../../server/metadata/record-type.ts";
import { requireType, type Snapshot } from "../../server/metadata/snapshot.ts";
import { accessColumns, recipesOf } from "../../server/records/save/recipes.ts";
import type { Kept } from "./ledger.ts";

const CHECKED = ["crm/leads", "core/comments", "lab/soaked"] as const;
const BATCH = 1_000;

export async function checkAll(
  db: Database,
  snapshot: Snapshot,
  organizations: readonly string[],
  records: readonly Kept[],
): Promise<readonly string[]> {
  const faults = await checkLedger(db, records);
  for (let left = "1"; left !== "0"; ) {
    await foldChanges(db);
    left = (await db.row(sql`select count(*)::text as count from core__changes`))?.count ?? "0";
  }
  for (const key of CHECKED) {
    const type = requireType(snapshot, key);
    for (const organizationId of organizations) {
      faults.push(...(await checkCounts(db, type, organizationId)));
      faults.push(...(await checkRecipes(db, snapshot, type, organizationId)));
      faults.push(...(await checkHistory(db, type, organizationId)));
      if (type.field.has("current_stage")) faults.push(...(await checkStages(db, type, organizationId)));
    }
  }
  const invalid = await db.rows(sql`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where not i.indisvalid`);
  faults.push(...invalid.map(({ name }) => `the index ${name} is not valid`));
  const jobs = await db.row(sql`select count(*)::text as count from core__job_queue`);
  if (jobs?.count !== "0") faults.push(`${jobs?.count} jobs did not end`);
  return faults;
}

async function checkLedger(db: Database, records: readonly Kept[]): Promise<string[]> {
  const faults: string[] = [];
  for (let at = 0; at < records.length; at += BATCH) {
    const some = records.slice(at, at + BATCH);
    const rows = await db.rows(sql`
      select organization_id::text || ' ' || id::text as key, company_name, deleted::text as deleted from crm__leads
      where (organization_id, id) in (
        select * from unnest(${some.map((one) => one.organizationId)}::bigint[], ${some.map((one) => one.id)}::bigint[]))`);
    const found = new Map(rows.map((row) => [row.key, row]));
    for (const { organizationId, id, values, deleted } of some) {
      const row = found.get(`${organizationId} ${id}`);
      if (!row) faults.push(`lead ${id} of ${organizationId} was acknowledged and is not there`);
      else if (!values.includes(row.company_name ?? ""))
        faults.push(`lead ${id} has ${row.company_name}, not ${values.join(" or ")}`);
      else if (!deleted.some((one) => one === row.deleted))
        faults.push(`lead ${id} is deleted or not, against its answers`);
    }
  }
  return faults;
}

async function checkCounts(db: Database, type: RecordType, organizationId: string): Promise<string[]> {
  const rows = await db.rows(sql`
    select coalesce(c.acl_id, r.acl_id)::text as acl, coalesce(c.live, 0)::text as told, coalesce(r.live, 0)::text as is
    from (select acl_id, live from core__counters
        where organization_id = ${organizationId}::bigint and record_type = ${type.key} and live <> 0) c
      full join (select acl_id, count(*) as live from ${ident(type.table)}
        where organization_id = ${organizationId}::bigint and deleted = 0 group by acl_id) r on r.acl_id = c.acl_id
    where coalesce(c.live, 0) <> coalesce(r.live, 0)`);
  return rows.map(
    ({ acl, told, is }) => `${type.key} of ${organizationId}: ${told} counted in set ${acl}, ${is} are there`,
  );
}

async function checkRecipes(
  db: Database,
  snapshot: Snapshot,
  type: RecordType,
  organizationId: string,
): Promise<string[]> {
  const columns = accessColumns(type).map((name) => sql`r.${ident(name)}::text as ${ident(name)}`);
  const faults: string[] = [];
  for (let last = "0"; ; ) {
    const rows = await db.rows(sql`
      select r.id::text as id, s.recipe as __recipe, ${join(columns)} from ${ident(type.table)} r
        left join core__acl_sets s on s.organization_id = r.organization_id and s.id = r.acl_id and s.record_type = ${type.key}
      where r.organization_id = ${organizationId}::bigint and r.id > ${last}::bigint order by r.id limit ${BATCH}::integer`);
    const recipes = await db.transaction((transaction) => recipesOf(transaction, snapshot, type, organizationId, rows));
    for (const [index, row] of rows.entries()) {
      const recipe = recipes[index];
      if (recipe && row.__recipe !== recipeText(recipe))
        faults.push(`${type.key} ${row.id}: the recipe is ${row.__recipe}, not ${recipeText(recipe)}`);
    }
    if (rows.length < BATCH) return faults;
    last = rows.at(-1)?.id ?? "0";
  }
}

/** An entry for each revision but the first of what was there before anybody wrote. */
async function checkHistory(db: Database, type: RecordType, organizationId: string): Promise<string[]> {
  const rows = await db.rows(sql`
    select r.id::text as id, r.revision::text as revision, h.first::text as first, h.last::text as last, h.count::text as count
    from ${ident(type.table)} r left join (
      select related_id, min(number) as first, max(number) as last, count(distinct number) as count, count(*) as entries
      from core__revisions where organization_id = ${organizationId}::bigint and related_type = ${type.key}
      group by related_id) h on h.related_id = r.id::text
    where r.organization_id = ${organizationId}::bigint and (r.revision > 1 or r.created_by is not null)
      and (h.last is distinct from r.revision or h.count <> h.entries or h.count <> h.last - h.first + 1
        or h.first > (case when r.created_by is null then 2 else 1 end))
    limit 20`);
  return rows.map(
    ({ id, revision, first, last, count }) =>
      `${type.key} ${id} of ${organizationId} is at revision ${revision}; its history has ${count} from ${first} to ${last}`,
  );
}

async function checkStages(db: Database, type: RecordType, organizationId: string): Promise<string[]> {
  const rows = await db.rows(sql`
    select r.id::text as id, r.current_stage::text as stage, l.to_stage::text as logged from ${ident(type.table)} r
      join lateral (select to_stage from core__stage_log l
        where l.organization_id = r.organization_id and l.related_type = ${type.key} and l.related_id = r.id::text
          and l.step in ('start', 'move') order by l.id desc limit 1) l on true
    where r.organization_id = ${organizationId}::bigint and l.to_stage is distinct from r.current_stage limit 20`);
  return rows.map(({ id, stage, logged }) => `${type.key} ${id} is at stage ${stage}; its log says ${logged}`);
}
