// Takes notifications; writes one per recipient within the transaction of the event, so nobody is notified of something
// that was not committed. Skips the person who did it, and users who have left or belong to another organization.
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { appendRows } from "../save/insert-rows.ts";

export interface NotificationEntry {
  /** Whom it is for. */
  readonly userId: string;
  /** `mention`, `comment`, `assignment`, … : what a client may group or draw by. */
  readonly kind: string;
  /** One sentence. */
  readonly text: string;
  readonly record?: {
    /** `crm/leads` */
    readonly type: string;
    readonly id: string;
    readonly name: string | null;
  };
  /** Who did it; null for the service itself. */
  readonly byUserId: string | null;
}

const LONGEST = 500;

const oneLine = (text: string): string => {
  const characters = [...text.replace(/\s+/gu, " ").trim()];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : characters.join("");
};

/** Gives whom it told. */
export async function addNotifications(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  entries: readonly NotificationEntry[],
): Promise<readonly NotificationEntry[]> {
  const meant = entries.filter((entry) => entry.userId !== entry.byUserId);
  if (meant.length === 0) return [];
  const there = await transaction.prepared(sql`
    select id::text from access_controls__users
    where organization_id = ${organizationId}::bigint and id = any(${meant.map((entry) => entry.userId)}::bigint[])
      and deleted = 0 and is_active = 1`);
  const users = new Set(there.map(([id]) => id));
  const told = meant.filter((entry) => users.has(entry.userId));
  await appendRows(
    transaction,
    snapshot,
    requireType(snapshot, "core/notifications"),
    organizationId,
    told.map(({ userId, kind, text, record, byUserId }) => ({
      owned_by: userId,
      kind,
      text: oneLine(text),
      related_type: record?.type ?? null,
      related_id: record?.id ?? null,
      related_name: record?.name == null ? null : oneLine(record.name),
      created_by: byUserId,
      modified_by: byUserId,
    })),
  );
  return told;
}
