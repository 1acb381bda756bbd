// Takes records whose access set has changed; updates the sets of what is attached to them (comments, files, shares). Code that
// writes a record's acl_id calls this in the same transaction, because attachments have the record's readers.
import { internAcl } from "../../access/acl-sets.ts";
import { recordChanges } from "../../database/changes.ts";
import { forAllOrganizations } from "../../database/citus/places.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { eventOf } from "../../database/events/followed-types.ts";
import { ident, join, type Sql, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import { columnsOfAccess, recipesOf } from "./recipes.ts";

export async function moveFollowers(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  type: RecordType,
  ids: readonly string[],
): Promise<void> {
  if (type.scope === "shared" || ids.length === 0) return;
  const which = sql`related_type = ${type.key} and related_id = any(${ids}::text[])`;
  for (const follower of snapshot.types.values()) {
    if (follower.follows === undefined) continue;
    const moved = await giveSets(transaction, snapshot, organizationId, follower, which);
    await moveFollowers(transaction, snapshot, organizationId, follower, moved);
  }
}

/** Works out anew what the records of a type that `which` names come to. Gives their ids. */
async function giveSets(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  type: RecordType,
  which: Sql,
): Promise<string[]> {
  const names = await columnsOfAccess(transaction, type, organizationId);
  const columns = names.map((name) => sql`${ident("r", name)}::text as ${ident(name)}`);
  const rows = await transaction.rows(sql`
    select r.id::text as id, r.acl_id::text as acl_id, r.deleted::text as deleted, ${join(columns)} from ${ident(type.table)} r
    where r.organization_id = ${organizationId}::bigint and ${which} order by r.id for update`);
  if (rows.length === 0) return [];
  const recipes = await recipesOf(transaction, snapshot, type, organizationId, rows);
  const sets = await internAcl(transaction, snapshot, organizationId, recipes);
  await transaction.run(sql`
    update ${ident(type.table)} r set acl_id = moved.acl_id
    from unnest(${rows.map((row) => row.id ?? "")}::text[], ${sets}::integer[]) as moved(id, acl_id)
    where r.organization_id = ${organizationId}::bigint and r.id = moved.id::${idTypeOf(type)}`);
  const moved = rows.flatMap((row, index) =>
    row.deleted === "0"
      ? [
          { aclId: row.acl_id ?? "0", delta: -1, ...eventOf(type, row.id, "access") },
          { aclId: sets[index] ?? "0", delta: 1, ...eventOf(type, row.id, "access") },
        ]
      : [],
  );
  await recordChanges(transaction, organizationId, type.key, moved);
  return rows.map((row) => row.id ?? "");
}

/**
 * Brings what was written before its type followed others, or before the type that it is about became confidential, to the
 * sets that go with it. Finds it by its sets, of which there are few.
 */
export async function bringAlong(db: Database, snapshot: Snapshot): Promise<void> {
  const reached = new Set<string>();
  // Each pass reaches what is attached to what the one before it reached.
  for (let before = -1; before < reached.size; ) {
    before = reached.size;
    for (const type of snapshot.types.values()) await bringTypeAlong(db, snapshot, type, reached);
  }
}

async function bringTypeAlong(db: Database, snapshot: Snapshot, type: RecordType, reached: Set<string>): Promise<void> {
  if (type.about === undefined || type.scope === "shared") return;
  const { about } = type;
  const concernedIn = (organization: Sql) =>
    type.follows === undefined ? heldBack(snapshot, type, about, organization) : sql`related_id is not null`;
  const concerned = concernedIn(sql`r.organization_id`);
  if (concerned === undefined) return;
  const loose = await forAllOrganizations(db, (among) =>
    db.rows(sql`
      select s.organization_id::text as organization, s.id::text as id from core__acl_sets s
      where ${among} and s.record_type = ${type.key} and s.recipe::json #> '{4}' is null and exists (
        select 1 from ${ident(type.table)} r
        where r.organization_id = s.organization_id and r.acl_id = s.id and ${concerned})`),
  );
  for (const { organization, id } of loose.flat()) {
    const which = sql`r.acl_id = ${id ?? "0"}::integer and ${concernedIn(sql`${organization ?? "0"}::bigint`) ?? sql`false`}`;
    await db.transaction((transaction) => giveSets(transaction, snapshot, organization ?? "", type, which));
    reached.add(`${organization} ${id}`);
  }
}

/** The records `r` of a type whose sets name what they are about: all that need a right on it, else those about a confidential one, or about something that is attached to one. */
function heldBack(
  snapshot: Snapshot,
  type: RecordType,
  about: NonNullable<RecordType["about"]>,
  organization: Sql,
): Sql | undefined {
  if (about.needs !== undefined) return sql`${ident("r", about.field)} is not null`;
  const keys = [...about.confidential];
  if (keys.length === 0) return undefined;
  const attached = [...snapshot.types.values()].filter(
    (one) => one.about !== undefined && one.scope === "organization",
  );
  const subject = ident("r", about.field);
  const itself = sql`${subject} = any(${keys}::text[])`;
  if (!type.field.has("related_id")) {
    return sql`(${itself} or ${subject} = any(${attached.map(({ key }) => key)}::text[]))`;
  }
  const further = attached.map(
    (one) => sql`${subject} = ${one.key} and r.related_id in (
      select x.id::text from ${ident(one.table)} x
      join core__acl_sets t on t.organization_id = ${organization} and t.id = x.acl_id
      where x.organization_id = ${organization}
        and (${ident("x", one.about?.field ?? "")} = any(${keys}::text[]) or t.subjects && ${keys}::text[]))`,
  );
  return sql`(${join([itself, ...further], " or ")})`;
}
