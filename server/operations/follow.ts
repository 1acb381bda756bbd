// follow, unfollow, followers: who is told of what happens to a record. Everybody follows for themselves, what they can see;
// what they can no longer see they are not told of, and can still unfollow.
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import { usersWhoRead } from "../access/readers.ts";
import { mayRead } from "../access/visibility.ts";
import type { Queryable } from "../database/database.ts";
import { ident, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { noSuchRecord, requireRecordId } from "../plan/plan-read.ts";
import { idTypeOf } from "../query/lock-rows.ts";
import { isFollowable } from "../records/workflow/tell-followers.ts";
import { addressed, requireId } from "./addressed.ts";
import type { Operation, OperationContext } from "./operation.ts";
import { runWrite } from "./write.ts";

/** Records that one person follows. */
const MOST = 1_000;

interface Followed {
  readonly caller: Caller;
  readonly type: RecordType;
  readonly id: string;
}

function followed(context: OperationContext): Followed {
  const { caller, type } = addressed(context);
  if (!isFollowable(type)) throw new Failure("conflict", { with: { reason: say("not_followable") } });
  return { caller, type, id: requireRecordId(type, requireId(context)) };
}

async function isReadable(db: Queryable, { caller, type, id }: Followed): Promise<boolean> {
  const found = await db.row(sql`
    select 1 as found from ${ident(type.table)} r
    where ${mayRead(caller, type, "r", "few")} and r.deleted = 0 and r.id = ${id}::${idTypeOf(type)}`);
  return found !== undefined;
}

/** Those who would be told: who follows it and may read it. */
async function readFollowers(db: Queryable, { caller, type, id }: Followed) {
  const rows = await db.rows(
    usersWhoRead(
      caller.organizationId,
      { type, id, idType: idTypeOf(type) },
      sql`u.id in (select f.user_id from core__follows f where f.organization_id = ${caller.organizationId}::bigint
        and f.record_type = ${type.key} and f.record_id = ${id})`,
      sql`order by u.name, u.id`,
    ),
  );
  return {
    is_following: rows.some((row) => row.id === caller.userId) ? 1 : 0,
    followers: rows.map((row) => ({ id: row.id, name: row.name ?? row.user_name })),
  };
}

export const followers: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  matrix: "view",
  async run(context) {
    const about = followed(context);
    const { database } = context.services;
    if (!(await isReadable(database, about))) throw noSuchRecord(about.type);
    return { body: { id: about.id, data: await readFollowers(database, about) } };
  },
};

export const follow: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "view",
  run: (context) =>
    runWrite(context, async ({ transaction }) => {
      const about = followed(context);
      const { caller, type, id } = about;
      if (!(await isReadable(transaction, about))) throw noSuchRecord(type);
      const own = sql`organization_id = ${caller.organizationId}::bigint and user_id = ${caller.userId}::bigint`;
      const row = await transaction.row(sql`select count(*)::text as count from core__follows where ${own}
        and (record_type, record_id) is distinct from (${type.key}, ${id})`);
      if (Number(row?.count) >= MOST) {
        throw new Failure("conflict", { with: { reason: say("follows_full", { max: MOST }) } });
      }
      await transaction.run(sql`
        insert into core__follows (organization_id, record_type, record_id, user_id)
        values (${caller.organizationId}::bigint, ${type.key}, ${id}, ${caller.userId}::bigint) on conflict do nothing`);
      const body = { id, data: await readFollowers(transaction, about) };
      return async () => ({ body, message: [say("followed")] });
    }),
};

export const unfollow: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  run: (context) =>
    runWrite(context, async ({ transaction }) => {
      const about = followed(context);
      const { caller, type, id } = about;
      await transaction.run(sql`
        delete from core__follows where organization_id = ${caller.organizationId}::bigint and record_type = ${type.key}
          and record_id = ${id} and user_id = ${caller.userId}::bigint`);
      // Who else follows is for those who can see the record.
      const isOpen = await isReadable(transaction, about);
      const data = isOpen ? await readFollowers(transaction, about) : { is_following: 0, followers: [] };
      return async () => ({ body: { id, data }, message: [say("unfollowed")] });
    }),
};
