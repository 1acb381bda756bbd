// The access set of one record: what it comes to now, and giving it to a record whose access changed without a save of
// its own (a share, a vote, a parent that was handed over).
import type { RecordRight } from "../../../contract/permissions.ts";
import type { Share } from "../../access/acl.ts";
import { internAcl } from "../../access/acl-sets.ts";
import { recordChanges } from "../../database/changes.ts";
import { ident, join, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import { eventOf } from "../followed-types.ts";
import type { Work } from "../hooks.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { moveFollowers } from "./followers.ts";
import { accessColumns, recipesOf } from "./recipes.ts";

/** The access set of a record as it would be now, with what was shared by hand. */
export async function aclOf(work: Work, type: RecordType, id: string, row: ColumnValues): Promise<string> {
  const [aclId] = await aclsOf(work, type, [{ id, row }]);
  if (aclId === undefined) throw new Error("an access set was not made");
  return aclId;
}

/** Of many records, in their order. */
export async function aclsOf(
  work: Work,
  type: RecordType,
  records: readonly { readonly id: string; readonly row: ColumnValues }[],
): Promise<string[]> {
  const { transaction, snapshot, caller } = work;
  const ids = records.map(({ id }) => id);
  const shares = await sharesOf(work, type, ids);
  const rows = records.map(({ id, row }) => ({ ...row, id }));
  const recipes = await recipesOf(
    transaction,
    snapshot,
    type,
    caller.organizationId,
    rows,
    (index) => shares.get(ids[index] ?? "") ?? [],
  );
  return internAcl(transaction, snapshot, caller.organizationId, recipes);
}

async function sharesOf(
  { transaction, caller }: Work,
  type: RecordType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Share[]>> {
  const rows = await transaction.rows(sql`
    select related_id, principal_id, array_to_string(rights, ' ') as rights, until::text as until
    from access_controls__shares
    where organization_id = ${caller.organizationId}::bigint and related_type = ${type.key}
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

/** Gives the record the access set that it now comes to. */
export async function moveAcl(work: Work, type: RecordType, id: string): Promise<void> {
  const { transaction, caller } = work;
  const where = sql`organization_id = ${caller.organizationId}::bigint and id = ${id}::${idTypeOf(type)}`;
  const columns = accessColumns(type);
  const row = await transaction.row(sql`
    select acl_id::text as acl_id, deleted::text as deleted, created::text as created, ${join(columns.map((column) => sql`${ident(column)}::text as ${ident(column)}`))}
    from ${ident(type.table)} where ${where} for update`);
  if (!row) return;
  const aclId = await aclOf(work, type, id, row);
  if (aclId === row.acl_id) return;
  await transaction.run(sql`update ${ident(type.table)} set acl_id = ${aclId}::integer where ${where}`);
  await moveFollowers(transaction, work.snapshot, caller.organizationId, type, [id]);
  if (row.deleted !== "0") return;
  await recordChanges(transaction, caller.organizationId, type.key, [
    { aclId: row.acl_id ?? "0", delta: -1, created: row.created, ...eventOf(type, id, "access") },
    { aclId, delta: 1, created: row.created, ...eventOf(type, id, "access") },
  ]);
}
