// A webhook as the service works with it: what people set up, how far it has come, and with whose eyes it sees. It never sees more
// than the user it acts as, nor more than whoever saved it last.
import { type Message, say } from "../../contract/messages.ts";
import { settleShares } from "../access/acl-sets.ts";
import { type Caller, rightsOf } from "../access/caller.ts";
import { mayOperate } from "../access/matrix.ts";
import { readCaller } from "../access/read-caller.ts";
import type { Database, Queryable } from "../database/database.ts";
import { isFollowed } from "../database/events/followed-types.ts";
import { sql } from "../database/sql.ts";
import { readArrayLiteral } from "../fields/columns/array-literal.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { findType, type Snapshot } from "../metadata/snapshot.ts";
import type { FeedCursor } from "../records/feed/feed-cursor.ts";
import { parseQ, type QCondition } from "../request/q.ts";

export const WEBHOOKS = "core/webhooks";
export const DELIVERIES = "core/webhook_deliveries";

export interface Webhook {
  readonly organizationId: string;
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly recordTypes: readonly string[];
  /** Undefined: all. */
  readonly events: ReadonlySet<string> | undefined;
  /** JSON text. */
  readonly condition: string | null;
  readonly userId: string;
  readonly ownerId: string | null;
  readonly includesRecord: boolean;
  readonly isActive: boolean;
  readonly approvedBy: string | null;
  readonly era: string | null;
  readonly position: string;
  readonly rights: string | null;
  /** Sealed; the newest first. */
  readonly secrets: readonly string[];
}

/** Undefined: it is deleted. */
export async function readWebhook(db: Queryable, organizationId: string, id: string): Promise<Webhook | undefined> {
  const row = await db.row(sql`
    select w.name, w.address, w.record_types, w.events::text as events, w.condition::text as condition, w.user_id::text as user_id,
      w.owned_by::text as owned_by, w.includes_record, w.is_active, s.approved_by::text as approved_by, s.era,
      s.position::text as position, s.rights, s.secret,
      case when s.previous_until > now() at time zone 'utc' then s.previous_secret end as previous
    from core__webhooks w left join core__webhook_state s on s.organization_id = ${organizationId}::bigint and s.webhook_id = w.id
    where w.organization_id = ${organizationId}::bigint and w.id = ${id}::bigint and w.deleted = 0`);
  if (!row) return undefined;
  return {
    organizationId,
    id,
    name: row.name ?? "",
    address: row.address ?? "",
    recordTypes: typeNames(row.record_types ?? null),
    events: row.events == null ? undefined : new Set(readArrayLiteral(row.events)),
    condition: row.condition ?? null,
    userId: row.user_id ?? "",
    ownerId: row.owned_by ?? null,
    includesRecord: row.includes_record === "1",
    isActive: row.is_active === "1",
    approvedBy: row.approved_by ?? null,
    era: row.era ?? null,
    position: row.position ?? "0",
    rights: row.rights ?? null,
    secrets: [row.secret, row.previous].filter((secret) => secret != null),
  };
}

/** Where a webhook begins: with the newest event that has its place. */
export async function ensureState(db: Queryable, caller: Caller, id: string): Promise<void> {
  const organization = sql`${caller.organizationId}::bigint`;
  await db.run(sql`
    insert into core__webhook_state (organization_id, webhook_id, approved_by, position, era)
    select ${organization}, ${id}::bigint, ${caller.userId}::bigint, coalesce(max(position), 0), max(era)
    from core__event_heads where organization_id = ${organization}
    on conflict do nothing`);
}

/** `crm/leads;crm/companies` */
export const typeNames = (text: string | null): readonly string[] =>
  (text ?? "")
    .split(";")
    .map((name) => name.trim())
    .filter(Boolean);

export interface Eyes {
  readonly caller: Caller;
  /** Whoever saved it for somebody else to act as; undefined: it acts as the same person. */
  readonly approver: Caller | undefined;
}

/** With the rights of this moment. A message: why there are none. */
export async function eyesOf(
  db: Database,
  snapshot: Snapshot,
  webhook: Webhook,
): Promise<Eyes | { readonly problem: Message }> {
  await settleShares(db, snapshot, webhook.organizationId);
  const caller = await readCaller(db, webhook.organizationId, webhook.userId);
  if (!caller) return { problem: say("webhook_off_user") };
  if (webhook.approvedBy === webhook.userId) return { caller, approver: undefined };
  const approver = await readCaller(db, webhook.organizationId, webhook.approvedBy ?? "0");
  return approver?.isAdministrator ? { caller, approver } : { problem: say("webhook_off_approver") };
}

/** Only administrators let one act as somebody else, and change it while it does. */
export const mayActAs = (caller: Caller, userId: string | null | undefined): boolean =>
  caller.isAdministrator || userId === caller.userId;

/** Those of its record types that the user it acts as may list. */
export const listable = (snapshot: Snapshot, names: readonly string[], caller: Caller): readonly RecordType[] =>
  names.flatMap((name) => {
    const type = findType(snapshot, name);
    return type && mayOperate(caller, type, "index") ? [type] : [];
  });

/** Sessions begin and end without telling of it. */
const seldomTold: ReadonlySet<string> = new Set(["access_controls/sessions"]);

/** Whether changes of its records are told, so that a webhook can send them. */
export const isSent = (type: RecordType): boolean => isFollowed(type) && !seldomTold.has(type.key);

export const cursorOf = (webhook: Webhook, caller: Caller, era: string): FeedCursor => ({
  organizationId: webhook.organizationId,
  era: webhook.era ?? era,
  position: BigInt(webhook.position),
  rights: webhook.rights ?? rightsOf(caller),
});

/** Fails as the q language does. */
export const conditionOf = (text: string | null): QCondition | undefined =>
  text === null || text === "null" ? undefined : parseQ(text).where;
