// Records security events of an organization: who did what, to what, from where. The database itself keeps the log
// append-only. Never holds a secret: no password, no token, no link.
import { recordChanges } from "../database/changes.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import type { auditEvents } from "../modules/access_controls/audit-events.ts";
import { plainRecipe } from "./acl.ts";
import { internAcl } from "./acl-sets.ts";

export const AUDIT_TYPE = "access_controls/audit_events";

export type AuditEventName = keyof typeof auditEvents;

export interface AuditEntry {
  readonly organizationId: string;
  readonly event: AuditEventName;
  /** Who did it; null when nobody known did. */
  readonly userId: string | null;
  /** As it was claimed or is now: users are renamed, the log is not. */
  readonly userName?: string | undefined;
  readonly address?: string | undefined;
  readonly subject?: { readonly type: string; readonly id: string; readonly name?: string | null } | undefined;
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}

/** Within the caller's transaction, where it has one: what is rolled back did not happen. */
export async function audit(db: Queryable, snapshot: Snapshot, entry: AuditEntry): Promise<void> {
  const { organizationId, subject } = entry;
  const aclId = await auditAcl(db, snapshot, organizationId);
  await db.run(sql`
    insert into access_controls__audit_events (organization_id, event, user_name, address, subject_type, subject_id,
      subject_name, detail, created_by, modified_by, acl_id)
    values (${organizationId}::bigint, ${entry.event}, ${entry.userName?.slice(0, 255) ?? null}, ${entry.address ?? null},
      ${subject?.type ?? null}, ${subject?.id ?? null}, ${subject?.name?.slice(0, 255) ?? null},
      ${entry.detail === undefined ? null : JSON.stringify(entry.detail)}::jsonb,
      ${entry.userId}::bigint, ${entry.userId}::bigint, ${aclId}::integer)`);
  await recordChanges(db, organizationId, AUDIT_TYPE, [{ aclId, delta: 1 }]);
}

/** All entries of an organization have the same set. Looked up first: making one takes a lock that callers may not expect. */
async function auditAcl(db: Queryable, snapshot: Snapshot, organizationId: string): Promise<string> {
  const known = await db.row(sql`
    select id::text as id from core__acl_sets s
    where organization_id = ${organizationId}::bigint and record_type = ${AUDIT_TYPE} order by s.id limit 1`);
  if (known?.id) return known.id;
  const [made = "0"] = await internAcl(db, snapshot, organizationId, [plainRecipe(AUDIT_TYPE, null, null)]);
  return made;
}
