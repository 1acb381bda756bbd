// Hands everything that one person owns to another: a statement per record type however many records there are, with
// history, access and the log of changes. Call within a transaction.
import { parseRecipe, plainRecipe } from "../../access/acl.ts";
import { internAcl } from "../../access/acl-sets.ts";
import { recordChanges } from "../../database/changes.ts";
import { ident, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import { settleComputed } from "../computed/settle.ts";
import { noteChange } from "../computed/touched.ts";
import { hooksOf, type Work } from "../hooks.ts";
import { moveFollowers } from "./followers.ts";

const REVISIONS = "core/revisions";

/** Gives how many records changed hands, by record type. */
export async function handOverAll(work: Work, from: string, to: string): Promise<Readonly<Record<string, number>>> {
  const handed: Record<string, number> = {};
  for (const type of work.snapshot.types.values()) {
    if (!isHandedOver(work, type)) continue;
    const count = await handOverType(work, type, from, to);
    if (count > 0) handed[type.key] = count;
  }
  await settleComputed({ ...work, organizationId: work.caller.organizationId });
  return handed;
}

/** People stay their own, and what the service keeps about somebody, or shows to nobody else, stays with them. */
const isHandedOver = (work: Work, type: RecordType): boolean =>
  type.scope === "organization" &&
  type.field.has("owned_by") &&
  type.key !== "access_controls/users" &&
  // Comments and files stay their author's, and are read with their record.
  type.follows === undefined &&
  !type.confidential &&
  !type.appendOnly &&
  // What only the service writes is about the person: jobs tell what somebody imported and changed, as far as that person saw it.
  !(type.refuses.add && type.refuses.edit) &&
  !hooksOf(work, type).bookkeeping;

async function handOverType(work: Work, type: RecordType, from: string, to: string): Promise<number> {
  const { transaction, snapshot, caller } = work;
  const organization = sql`${caller.organizationId}::bigint`;
  const table = ident(type.table);
  const { rows: locked } = await transaction.run(sql`
    select r.id::text from ${table} r where r.organization_id = ${organization} and r.owned_by = ${from}::bigint
    order by r.id for update`);
  if (locked.length === 0) return 0;
  const ids = locked.flatMap(([id]) => id ?? []);
  // Each statement asks for them by values: Citus would send what one part of a statement finds to every machine.
  const isOne = sql`r.organization_id = ${organization} and r.id = any(${ids}::${idTypeOf(type)}[])`;
  const owned = await transaction.rows<{ acl_id: string; recipe: string; live: string }>(sql`
    select o.acl_id::text as acl_id, s.recipe, o.live::text as live
    from (
      select r.acl_id, count(*) filter (where r.deleted = 0) as live from ${table} r where ${isOne} group by r.acl_id
    ) o join core__acl_sets s on s.organization_id = ${organization} and s.id = o.acl_id`);
  const recipes = owned.map((row) => ({ ...parseRecipe(type.key, row.recipe), owner: to }));
  const newIds = await internAcl(transaction, snapshot, caller.organizationId, recipes);
  const [historyAcl = "0"] = await internAcl(transaction, snapshot, caller.organizationId, [
    plainRecipe(REVISIONS, null, null),
  ]);
  const changes = JSON.stringify({ owned_by: { from, to } });
  // A value: Citus takes no clock beside a column.
  const time = await transaction.row(sql`select (now() at time zone 'utc')::text as now`);
  const sets = sql`unnest(${owned.map((row) => row.acl_id)}::integer[], ${newIds}::integer[]) as map(old_id, new_id)`;
  await transaction.run(sql`
    insert into core__pending_events (organization_id, record_type, record_id, operation, revision, acl_before, acl_after)
    select ${organization}, ${type.key}, r.id::text, 'edit', r.revision + 1, map.old_id, map.new_id
    from ${table} r join ${sets} on map.old_id = r.acl_id where ${isOne} and r.deleted = 0`);
  await transaction.run(sql`
    insert into core__revisions (organization_id, related_type, related_id, number, operation, changes, created_by,
      modified_by, acl_id)
    select ${organization}, ${type.key}, r.id::text, r.revision + 1, 'edit', ${changes}::jsonb, ${caller.userId}::bigint,
      ${caller.userId}::bigint, ${historyAcl}::integer
    from ${table} r where ${isOne}`);
  await transaction.run(sql`
    update ${table} r set owned_by = ${to}::bigint, acl_id = map.new_id, revision = r.revision + 1,
      -- Of a deleted record they tell who deleted it, and when.
      modified = case when r.deleted = 0 then ${time?.now ?? null}::timestamp else r.modified end,
      modified_by = case when r.deleted = 0 then ${caller.userId}::bigint else r.modified_by end
    from ${sets} where ${isOne} and map.old_id = r.acl_id`);
  const live = owned.flatMap((row, index) => [
    { aclId: row.acl_id, delta: -Number(row.live) },
    { aclId: newIds[index] ?? "0", delta: Number(row.live) },
  ]);
  await recordChanges(transaction, caller.organizationId, type.key, live);
  await recordChanges(transaction, caller.organizationId, REVISIONS, [{ aclId: historyAcl, delta: ids.length }]);
  for (const id of ids) noteChange(work, type, id, ["owned_by"], { owned_by: from });
  await moveFollowers(transaction, snapshot, caller.organizationId, type, ids);
  return ids.length;
}
