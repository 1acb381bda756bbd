// Hands everything that one person owns to another, with history, access and the log of changes. Call within a transaction.
import { Failure } from "../../../contract/failures.ts";
import { parseRecipe } from "../../access/acl.ts";
import { internAcl } from "../../access/acl-sets.ts";
import { limitsAllow } from "../../access/keys/limits.ts";
import { type Change, writeLogged } from "../../database/changes.ts";
import { eventOf } from "../../database/events/followed-types.ts";
import { ident, sql } from "../../database/sql.ts";
import { pause } from "../../lib/turns/pause.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import { settleComputed } from "../computed/settle.ts";
import { noteChange } from "../computed/touched.ts";
import { writeRevisions } from "../history/revisions.ts";
import { hooksOf, type Work } from "../hooks.ts";
import { moveFollowers } from "./followers.ts";

/** So many rows per statement. */
const BATCH = 1_000;

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
  const organization = sql`${work.caller.organizationId}::bigint`;
  const { rows } = await work.transaction.run(sql`
    select r.id::text from ${ident(type.table)} r
    where r.organization_id = ${organization} and r.owned_by = ${from}::bigint order by r.id`);
  const ids = rows.flatMap(([id]) => id ?? []);
  if (ids.length > 0 && !limitsAllow(work.caller, type.key, "edit")) throw new Failure("key_limited");
  let count = 0;
  for (let start = 0; start < ids.length; start += BATCH) {
    await pause();
    count += await handOverThese(work, type, ids.slice(start, start + BATCH), from, to);
  }
  return count;
}

/** Those of them that are still the person's. Values go to and fro: Citus would send to every machine what a part of a statement finds. */
async function handOverThese(
  work: Work,
  type: RecordType,
  candidates: readonly string[],
  from: string,
  to: string,
): Promise<number> {
  const { transaction, snapshot, caller } = work;
  const organization = sql`${caller.organizationId}::bigint`;
  const { rows } = await transaction.run(sql`
    select r.id::text, (r.revision + 1)::text, r.acl_id::text, r.deleted::text from ${ident(type.table)} r
    where r.organization_id = ${organization} and r.id = any(${candidates}::${idTypeOf(type)}[]) and r.owned_by = ${from}::bigint
    order by r.id for update`);
  if (rows.length === 0) return 0;
  const sets = await setsOfOwner(work, type, [...new Set(rows.map(([, , aclId]) => aclId ?? ""))], to);
  const owned = rows.flatMap(([id = "", number = "", oldAcl, deleted]) => {
    const newAcl = sets.get(oldAcl ?? "");
    return id === null || number === null || oldAcl == null || newAcl === undefined
      ? []
      : [{ id, number, oldAcl, newAcl, isLive: deleted === "0" }];
  });
  const ids = owned.map(({ id }) => id);
  const logged = owned.flatMap(({ id, number, oldAcl, newAcl, isLive }): Change[] => {
    if (!isLive) return [{ aclId: oldAcl, delta: 0 }];
    const event = eventOf(type, id, "edit", number);
    return [
      { aclId: oldAcl, delta: -1, ...event },
      { aclId: newAcl, delta: 1, ...event },
    ];
  });
  // A value: Citus takes no clock beside a column.
  const time = await transaction.row(sql`select (now() at time zone 'utc')::text as now`);
  const update = sql`
    update ${ident(type.table)} r set owned_by = ${to}::bigint, acl_id = map.new_id, revision = r.revision + 1,
      -- Of a deleted record they tell who deleted it, and when.
      modified = case when r.deleted = 0 then ${time?.now ?? null}::timestamp else r.modified end,
      modified_by = case when r.deleted = 0 then ${caller.userId}::bigint else r.modified_by end
    from unnest(${[...sets.keys()]}::integer[], ${[...sets.values()]}::integer[]) as map(old_id, new_id)
    where r.organization_id = ${organization} and r.id = any(${ids}::${idTypeOf(type)}[]) and map.old_id = r.acl_id`;
  await writeLogged(transaction, update, caller.organizationId, type.key, logged, []);
  const changes = JSON.stringify({ owned_by: { from, to } });
  await writeRevisions(
    work,
    owned.map(({ id, number }) => ({ type, id, number, operation: "edit", changes })),
  );
  for (const id of ids) noteChange(work, type, id, ["owned_by"], { owned_by: from });
  await moveFollowers(transaction, snapshot, caller.organizationId, type, ids);
  return ids.length;
}

/** For each of these access sets that there are, the same one of a record that somebody else owns. */
async function setsOfOwner(
  { transaction, snapshot, caller: { organizationId } }: Work,
  type: RecordType,
  aclIds: readonly string[],
  owner: string,
): Promise<ReadonlyMap<string, string>> {
  const known = await transaction.rows<{ id: string; recipe: string }>(sql`
    select id::text as id, recipe from core__acl_sets
    where organization_id = ${organizationId}::bigint and id = any(${aclIds}::integer[])`);
  const recipes = known.map(({ recipe }) => ({ ...parseRecipe(type.key, recipe), owner }));
  const others = await internAcl(transaction, snapshot, organizationId, recipes);
  return new Map(known.map(({ id }, index) => [id, others[index] ?? "0"]));
}
