// Gives records the access sets that they come to now: what a save gives them along with it, and what changes without a save of their own
// (a share, a vote, a parent that was handed over, a computed value, a policy).
import type { RecordRight } from "../../../contract/permissions.ts";
import type { Share } from "../../access/acl.ts";
import { internAcl } from "../../access/acl-sets.ts";
import { recordChanges } from "../../database/changes.ts";
import type { Queryable } from "../../database/database.ts";
import { eventOf } from "../../database/events/followed-types.ts";
import { ident, join, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { idTypeOf, isAmongIds } from "../../query/lock-rows.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { moveFollowers } from "./followers.ts";
import { columnsOfAccess, recipesOf } from "./recipes.ts";

/** Where access sets are given. */
export interface AclWork {
  readonly transaction: Queryable;
  readonly snapshot: Snapshot;
  readonly organizationId: string;
}

/** The sets of records as they would be now, in their order, with what was shared by hand. */
export async function aclsOf(
  { transaction, snapshot, organizationId }: AclWork,
  type: RecordType,
  records: readonly { readonly id: string; readonly row: ColumnValues }[],
): Promise<string[]> {
  const ids = records.map(({ id }) => id);
  const shares = await sharesOf(transaction, organizationId, type, ids);
  const rows = records.map(({ id, row }) => ({ ...row, id }));
  const given = (index: number) => shares.get(ids[index] ?? "") ?? [];
  const recipes = await recipesOf(transaction, snapshot, type, organizationId, rows, given);
  return internAcl(transaction, snapshot, organizationId, recipes);
}

async function sharesOf(
  transaction: Queryable,
  organizationId: string,
  type: RecordType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Share[]>> {
  const rows = await transaction.rows(sql`
    select related_id, principal_id, array_to_string(rights, ' ') as rights, until::text as until
    from access_controls__shares
    where organization_id = ${organizationId}::bigint and related_type = ${type.key}
      and related_id = any(${ids}::text[]) and deleted = 0`);
  const byRecord = new Map<string, Share[]>();
  for (const row of rows) {
    const share: Share = {
      principal: Number(row.principal_id),
      // The choice field admits the four rights only.
      rights: (row.rights ?? "").split(" ").filter(Boolean) as RecordRight[],
      until: row.until ?? null,
    };
    byRecord.set(row.related_id ?? "", [...(byRecord.get(row.related_id ?? "") ?? []), share]);
  }
  return byRecord;
}

/**
 * Gives records the access sets that they now come to, and what is attached to them along. `told`: whoever follows hears of each; else
 * somebody tells them of all at once.
 */
export async function moveAcls(
  work: AclWork,
  type: RecordType,
  ids: readonly string[],
  told = true,
): Promise<readonly string[]> {
  const { transaction, snapshot, organizationId } = work;
  if (type.scope === "shared" || ids.length === 0) return [];
  const organization = sql`r.organization_id = ${organizationId}::bigint`;
  // Before the rows are read: a policy that comes meanwhile looks at them itself.
  const lock = sql`select r.id from ${ident(type.table)} r where ${organization} and ${isAmongIds(type, ids)} order by r.id for update`;
  await transaction.run(lock);
  const columns = (await columnsOfAccess(transaction, type, organizationId, true)).map(
    (name) => sql`${ident("r", name)}::text as ${ident(name)}`,
  );
  const rows = await transaction.rows(sql`
    select r.id::text as id, r.acl_id::text as acl_id, r.deleted::text as deleted, r.created::text as created, ${join(columns)}
    from ${ident(type.table)} r where ${organization} and ${isAmongIds(type, ids)} order by r.id`);
  const records = rows.map((row) => ({ id: row.id ?? "", row }));
  const sets = await aclsOf(work, type, records);
  const moved = rows.flatMap((row, index) => (sets[index] === row.acl_id ? [] : [{ row, aclId: sets[index] ?? "0" }]));
  if (moved.length === 0) return [];
  await transaction.run(sql`
    update ${ident(type.table)} r set acl_id = moved.acl_id::integer
    from unnest(${moved.map(({ row }) => row.id ?? "")}::text[], ${moved.map(({ aclId }) => aclId)}::text[]) as moved(id, acl_id)
    where ${organization} and r.id = moved.id::${idTypeOf(type)}`);
  const movedIds = moved.map(({ row }) => row.id ?? "");
  await moveFollowers(transaction, snapshot, organizationId, type, movedIds);
  const changes = moved.flatMap(({ row, aclId }) => {
    if (row.deleted !== "0") return [];
    const event = told ? eventOf(type, row.id, "access") : {};
    return [
      { aclId: row.acl_id ?? "0", delta: -1, created: row.created, ...event },
      { aclId, delta: 1, created: row.created, ...event },
    ];
  });
  await recordChanges(transaction, organizationId, type.key, changes);
  return movedIds;
}
