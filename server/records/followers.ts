// Takes records whose access set has changed; gives what hangs on them (comments, files) the sets that go with it. Whoever
// writes a record's acl_id calls this in the same transaction: what follows a record is read by the record's readers.
import { internAcl } from "../access/acl-sets.ts";
import { recordChanges } from "../database/changes.ts";
import type { Queryable } from "../database/database.ts";
import { ident, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { recipesOf } from "./recipes.ts";

export async function moveFollowers(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  type: RecordType,
  ids: readonly string[],
): Promise<void> {
  if (type.scope === "shared" || ids.length === 0) return;
  for (const follower of snapshot.types.values()) {
    if (follower.follows === undefined) continue;
    const rows = await transaction.rows(sql`
      select id::text as id, owned_by::text as owned_by, primary_acl_group::text as primary_acl_group, related_type,
        related_id, acl_id::text as acl_id, deleted::text as deleted
      from ${ident(follower.table)}
      where organization_id = ${organizationId}::bigint and related_type = ${type.key} and related_id = any(${ids}::text[])
      order by id for update`);
    if (rows.length === 0) continue;
    const recipes = await recipesOf(transaction, snapshot, follower, organizationId, rows);
    const sets = await internAcl(transaction, snapshot, organizationId, recipes);
    await transaction.run(sql`
      update ${ident(follower.table)} r set acl_id = moved.acl_id
      from unnest(${rows.map((row) => row.id ?? "")}::text[], ${sets}::integer[]) as moved(id, acl_id)
      where r.organization_id = ${organizationId}::bigint and r.id::text = moved.id and r.related_type = ${type.key}
        and r.related_id = any(${ids}::text[])`);
    const moved = rows.flatMap((row, index) =>
      row.deleted === "0"
        ? [
            { aclId: row.acl_id ?? "0", delta: -1 },
            { aclId: sets[index] ?? "0", delta: 1 },
          ]
        : [],
    );
    await recordChanges(transaction, organizationId, follower.key, moved);
  }
}
