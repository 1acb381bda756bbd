// Writes down what matters to the security of an organisation: who did what, to what, from where. Append-only, by the
// database itself. Never holds a secret: no password, no token, no link.
import { recordChanges } from "../database/changes.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { plainRecipe } from "./acl.ts";
import { internAcl } from "./acl-sets.ts";

export const AUDIT_TYPE = "access_controls/audit_events";

/** What can happen, with the words for it. */
export const auditEvents = {
  login: "Login",
  login_failed: "Failed login",
  mfa_failed: "Failed second step",
  logout: "Logout",
  signup: "Signup",
  password_changed: "Password changed",
  password_reset_requested: "New password requested",
  password_reset: "Password reset",
  mfa_turned_on: "Two-step login turned on",
  mfa_turned_off: "Two-step login turned off",
  mfa_reset: "Two-step login reset",
  recovery_code_used: "Recovery code used",
  recovery_codes_renewed: "New recovery codes",
  mail_confirmed: "E-mail address confirmed",
  invitation_created: "Invitation sent",
  invitation_resent: "Invitation sent again",
  invitation_revoked: "Invitation revoked",
  invitation_accepted: "Invitation accepted",
  user_added: "User added",
  user_renamed: "User name changed",
  user_deactivated: "User deactivated",
  user_reactivated: "User activated",
  user_deleted: "User deleted",
  user_restored: "User restored",
  records_handed_over: "Records handed over",
  role_changed: "Role changed",
  role_assigned: "Roles of a user changed",
  group_changed: "Group changed",
  permission_changed: "Permission changed",
  organization_changed: "Organisation changed",
  record_type_changed: "Record type changed",
  form_changed: "Form changed",
  workflow_changed: "Workflow changed",
  view_changed: "Shared view changed",
  menu_changed: "Menu changed",
  record_purged: "Record deleted permanently",
  license_published: "Licence agreement published",
  license_accepted: "Licence agreement accepted",
  api_key_created: "API key created",
  api_key_revoked: "API key revoked",
  session_ended: "Session ended",
  mail_held: "Emails put on hold",
  mail_outside_changed: "Emailing people outside the organization changed",
  export: "Export",
  bulk: "Bulk operation",
} as const satisfies Record<string, string>;

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

/** All entries of an organisation have the same set. Looked up first: making one takes a lock that callers may not expect. */
async function auditAcl(db: Queryable, snapshot: Snapshot, organizationId: string): Promise<string> {
  const known = await db.row(sql`
    select id::text as id from core__acl_sets
    where organization_id = ${organizationId}::bigint and record_type = ${AUDIT_TYPE} order by id limit 1`);
  if (known?.id) return known.id;
  const [made = "0"] = await internAcl(db, snapshot, organizationId, [plainRecipe(AUDIT_TYPE, null, null)]);
  return made;
}
