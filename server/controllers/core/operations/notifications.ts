// core/notifications mine, unread, mark_read: what a person was told, how much of it is new, and that it was seen.
// Needs no right beyond being logged in: a notification is its owner's.

import { Failure } from "../../../../contract/failures.ts";
import { say } from "../../../../contract/messages.ts";
import type { Caller } from "../../../access/caller.ts";
import { mayRead } from "../../../access/visibility.ts";
import { recordChanges } from "../../../database/changes.ts";
import type { Queryable } from "../../../database/database.ts";
import { eventOf } from "../../../database/events/followed-types.ts";
import { type Sql, sql } from "../../../database/sql.ts";
import { licenseState } from "../../../identity/current-license.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import { addressed, requireId } from "../../../operations/addressed.ts";
import type { Operation } from "../../../operations/operation.ts";
import { runWrite } from "../../../operations/write.ts";
import { noSuchRecord, requireRecordId } from "../../../plan/plan-read.ts";
import { textAt } from "../../../request/tree.ts";

const MOST = 100;

const own = (caller: Caller, type: RecordType): Sql =>
  sql`${mayRead(caller, type, "r")} and r.owned_by = ${caller.userId}::bigint and r.deleted = 0`;

async function countUnread(db: Queryable, caller: Caller, type: RecordType): Promise<number> {
  const row = await db.row(sql`
    select count(*)::text as unread from core__notifications r where ${own(caller, type)} and r.read_at is null`);
  return Number(row?.unread ?? 0);
}

/** What a client asks now and then: it also hears of a license agreement that was published since its login. */
export const unread: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const { caller, type } = addressed(context);
    const { database } = context.services;
    const [count, license] = await Promise.all([
      countUnread(database, caller, type),
      licenseState(database, caller.organizationId, caller.userId),
    ]);
    return { body: { data: { unread: count }, ...license } };
  },
};

/** `before`: the id of the last one that the client has, for those that came before it. */
export const mine: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const { caller, type } = addressed(context);
    const { database } = context.services;
    const { parameters } = context.call;
    const limit = textAt(parameters, "limit") ?? "30";
    if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MOST) {
      throw new Failure("malformed_parameter", {
        with: { name: "limit", reason: say("must_be_whole", { min: 1, max: MOST }) },
      });
    }
    const before = textAt(parameters, "before");
    const older = before === undefined ? sql`true` : sql`r.id < ${requireRecordId(type, before)}::bigint`;
    const newOnly = textAt(parameters, "unread") === "1" ? sql`r.read_at is null` : sql`true`;
    const rows = await database.rows(sql`
      select r.id::text as id, r.kind, r.text, r.related_type, r.related_id, r.related_name, r.read_at::text as read_at,
        r.created::text as created, r.created_by::text as created_by, u.name as __created_by
      from core__notifications r
      left join access_controls__users u on u.organization_id = r.organization_id and u.id = r.created_by
      where ${own(caller, type)} and ${older} and ${newOnly} order by r.id desc limit ${limit}::bigint`);
    return { body: { data: { notifications: rows, unread: await countUnread(database, caller, type) } } };
  },
};

/** `id` marks one, `all=1` all that are there; `unread=1` makes one new again. */
export const markRead: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  run: (context) =>
    runWrite(context, async ({ transaction }) => {
      const { caller, type } = addressed(context);
      const { parameters } = context.call;
      const all = textAt(parameters, "all") === "1";
      const anew = !all && textAt(parameters, "unread") === "1";
      const which = all ? sql`r.read_at is null` : sql`r.id = ${requireRecordId(type, requireId(context))}::bigint`;
      const value = anew ? sql`null` : sql`least(r.read_at, now() at time zone 'utc')`;
      const changed = await transaction.run(sql`
        update core__notifications r set read_at = ${value}, revision = revision + 1, modified = now() at time zone 'utc'
        where ${own(caller, type)} and ${which} returning r.acl_id::text, r.id::text`);
      if (!all && changed.count === 0) throw noSuchRecord(type);
      const moved = changed.rows.map(([aclId, id]) => ({
        aclId: aclId ?? "0",
        delta: 0,
        ...eventOf(type, id, "edit"),
      }));
      await recordChanges(transaction, caller.organizationId, type.key, moved);
      const body = { data: { unread: await countUnread(transaction, caller, type), changed: changed.count } };
      return async () => ({ body });
    }),
};
