// Takes a record and a user; reads and writes whether the user follows it. Checks what the caller can read. Whom to notify is
// decided in tell-followers.ts.
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { usersWhoRead } from "../../access/readers.ts";
import { mayRead } from "../../access/visibility.ts";
import type { Queryable, Row } from "../../database/database.ts";
import { ident, type Sql, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { idTypeOf } from "../../query/lock-rows.ts";

export interface Followed {
  readonly caller: Caller;
  readonly type: RecordType;
  readonly id: string;
}

/** Whether the record is there for the caller. */
export async function isReadable(db: Queryable, { caller, type, id }: Followed): Promise<boolean> {
  const found = await db.row(sql`
    select 1 as found from ${ident(type.table)} r
    where ${mayRead(caller, type, "r", "few")} and r.deleted = 0 and r.id = ${id}::${idTypeOf(type)}`);
  return found !== undefined;
}

/** Those who would be told, as far as the caller may read who they are: who follows it and may read it. */
export async function readFollowers(db: Queryable, snapshot: Snapshot, { caller, type, id }: Followed) {
  const users = requireType(snapshot, "access_controls/users");
  const rows = await db.rows(
    usersWhoRead(
      caller.organizationId,
      { type, id, idType: idTypeOf(type) },
      sql`u.id in (select f.user_id from core__follows f where f.organization_id = ${caller.organizationId}::bigint
        and f.record_type = ${type.key} and f.record_id = ${id})
        and (u.id = ${caller.userId}::bigint or ${mayRead(caller, users, "u", "few")})`,
      sql`order by u.name, u.id`,
    ),
  );
  const { visible } = fieldMask(users, caller);
  const nameOf = ({ id: userId, name, user_name: login }: Row): string | null =>
    (visible.has("name") ? name : null) ?? (visible.has("user_name") ? login : null) ?? userId ?? null;
  return {
    is_following: rows.some((row) => row.id === caller.userId) ? 1 : 0,
    followers: rows.map((row) => ({ id: row.id, name: nameOf(row) })),
  };
}

const ownRow = ({ caller, type, id }: Followed): Sql =>
  sql`organization_id = ${caller.organizationId}::bigint and user_id = ${caller.userId}::bigint
    and record_type = ${type.key} and record_id = ${id}`;

/** Gives whether they follow it now: nobody follows more records than `most`. */
export async function addFollow(db: Queryable, followed: Followed, most: number): Promise<boolean> {
  const { caller, type, id } = followed;
  await db.run(sql`
    insert into core__follows (organization_id, record_type, record_id, user_id)
    select ${caller.organizationId}::bigint, ${type.key}, ${id}, ${caller.userId}::bigint
    where (select count(*) from core__follows
      where organization_id = ${caller.organizationId}::bigint and user_id = ${caller.userId}::bigint) < ${most}::bigint
    on conflict do nothing`);
  return (await db.row(sql`select 1 as found from core__follows where ${ownRow(followed)}`)) !== undefined;
}

export async function removeFollow(db: Queryable, followed: Followed): Promise<void> {
  await db.run(sql`delete from core__follows where ${ownRow(followed)}`);
}
