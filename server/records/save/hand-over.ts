// When records change owner, their children do too: children have their record's owner, also in their own access.
import { internAcl } from "../../access/acl-sets.ts";
import { factIds, readRecordFacts } from "../../access/facts/record-facts.ts";
import { wall } from "../../access/visibility.ts";
import { recordChanges } from "../../database/changes.ts";
import { eventOf } from "../../database/events/followed-types.ts";
import { expression, quote, sql } from "../../database/sql.ts";
import { childTypeOf, ownedAssociations } from "../../metadata/associations.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { childTie } from "../../query/lock-rows.ts";
import { noteChange } from "../computed/touched.ts";
import { aclWork, type Work } from "../hooks.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { moveFollowers } from "./followers.ts";
import { recipesOf } from "./recipes.ts";
import { moveAcls } from "./record-acl.ts";

/** `after`: whose all of these records now are. */
export async function handOverChildren(
  work: Work,
  type: RecordType,
  ids: readonly string[],
  after: ColumnValues,
): Promise<void> {
  const { transaction, snapshot, caller } = work;
  const owner = { owned_by: after.owned_by ?? null, primary_acl_group: after.primary_acl_group ?? null };
  for (const association of ownedAssociations(type)) {
    const child = childTypeOf(snapshot, association);
    // What decides itself who sees it is not moved by its parent; what follows its record keeps its author.
    if (child.scope === "shared" || child.personalFlag !== undefined || child.follows !== undefined) continue;
    const where = sql`${wall(caller, child, "r")} and ${childTie(association, type, ids)}`;
    const table = expression(quote(child.table));
    const before = await transaction.run(sql`
      select r.acl_id::text, r.deleted::text, r.id::text, r.owned_by::text from ${table} r where ${where} order by r.id for update`);
    if (before.rows.length === 0) continue;
    const recipes = await recipesOf(transaction, snapshot, child, caller.organizationId, [
      { ...owner, ...(child.about === undefined ? {} : { [child.about.field]: type.key }) },
    ]);
    const [aclId = ""] = await internAcl(transaction, snapshot, caller.organizationId, recipes);
    await transaction.run(sql`
      update ${table} r set owned_by = ${owner.owned_by}::bigint, primary_acl_group = ${owner.primary_acl_group}::bigint,
        acl_id = ${aclId}::integer where ${where}`);
    const live = before.rows.filter(([, deleted]) => deleted === "0");
    const moved = live.flatMap(([old, , one]) => [
      { aclId: old ?? "0", delta: -1, ...eventOf(child, one, "edit") },
      { aclId, delta: 1, ...eventOf(child, one, "edit") },
    ]);
    for (const [, , one, formerly] of before.rows)
      if (one != null) noteChange(work, child, one, ["owned_by"], { owned_by: formerly ?? null });
    await recordChanges(transaction, caller.organizationId, child.key, moved);
    const children = before.rows.flatMap(([, , one]) => one ?? []);
    await moveFollowers(transaction, snapshot, caller.organizationId, child, children);
    // A child in a stage of its own also has what that stage lends; and a policy may speak of its own fields.
    const asked = factIds(await readRecordFacts(transaction, caller.organizationId, true), child);
    if (child.field.has("current_stage") || asked.size > 0) await moveAcls(aclWork(work), child, children);
  }
}
