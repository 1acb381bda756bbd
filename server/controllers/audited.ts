// Takes the hooks of record types that decide who may do what; gives them back so that each change is in the audit log.
import { type AuditEventName, audit } from "../access/audit.ts";
import { ident, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { changesOf } from "../records/history/revisions.ts";
import type { HookTable, RecordChange, RecordHooks, Work } from "../records/hooks.ts";

/** Which event a change is; undefined when it is none. */
type EventOf = (change: RecordChange) => AuditEventName | undefined;

const userEvent: EventOf = ({ operation, before, after }) => {
  if (operation === "add") return "user_added";
  if (operation === "restore") return "user_restored";
  if (operation === "delete" || operation === "purge") return "user_deleted";
  if (before?.is_active !== after?.is_active) return after?.is_active === "1" ? "user_reactivated" : "user_deactivated";
  return before?.user_name === after?.user_name ? undefined : "user_renamed";
};

/** What only its owner sees is nobody else's business. */
const sharedView: EventOf = ({ before, after }) =>
  [before, after].some((view) => view !== undefined && view.is_personal !== "1") ? "view_changed" : undefined;

const events: Readonly<Record<string, EventOf>> = {
  "access_controls/users": userEvent,
  "access_controls/roles": () => "role_changed",
  "access_controls/roles_users": () => "role_assigned",
  "access_controls/role_operations": () => "permission_changed",
  "access_controls/role_fields": () => "permission_changed",
  "access_controls/policies": () => "permission_changed",
  "access_controls/shares": () => "permission_changed",
  "access_controls/groups": () => "group_changed",
  "access_controls/group_members": () => "group_changed",
  "access_controls/organizations": () => "organization_changed",
  "core/forms": () => "form_changed",
  "core/workflows": () => "workflow_changed",
  "core/listviews": sharedView,
  "core/webhooks": () => "webhook_changed",
  "development_base/modules": () => "menu_changed",
  "development_base/menus": () => "menu_changed",
};

/** Those who are watched over by an entry of their own. */
export const designTypes: readonly string[] = Object.keys(events);

export const audited = (table: HookTable): HookTable => ({
  ...table,
  ...Object.fromEntries(Object.entries(events).map(([key, eventOf]) => [key, withAudit(table[key] ?? {}, eventOf)])),
});

/** Long enough to tell what was changed; a whole definition is in the record's own history. */
const LONGEST = 500;

const inBrief = (value: string | null): string | null =>
  value !== null && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;

const withAudit = (hooks: RecordHooks, eventOf: EventOf): RecordHooks => ({
  ...hooks,
  follow: async (work, change) => {
    await hooks.follow?.(work, change);
    const event = eventOf(change);
    if (event === undefined) return;
    const { type, id, operation, before, after } = change;
    const name = await nameOf(work, type, (after ?? before)?.[type.displayField] ?? null);
    await audit(work.transaction, work.snapshot, {
      organizationId: work.caller.organizationId,
      event,
      userId: work.caller.userId,
      userName: work.caller.userName,
      subject: { type: type.key, id, name },
      detail: { operation, changes: briefChanges(type, before, after) },
    });
  },
});

function briefChanges(type: RecordType, before: RecordChange["before"], after: RecordChange["after"]) {
  const brief = (row: RecordChange["before"]) =>
    row && Object.fromEntries(Object.entries(row).map(([name, value]) => [name, inBrief(value ?? null)]));
  return changesOf(type, brief(before), brief(after) ?? {});
}

/** What a record is called; of one that is called by another (a membership by its group), what that one is called. */
async function nameOf({ transaction, snapshot, caller }: Work, type: RecordType, value: string | null) {
  const to = type.associations.find((one) => one.kind === "belongs-to" && one.via === type.displayField);
  const target = to?.kind === "belongs-to" ? snapshot.types.get(to.type) : undefined;
  if (value === null || target?.scope !== "organization") return value;
  const row = await transaction.row(sql`
    select ${ident(target.displayField)}::text as name from ${ident(target.table)}
    where organization_id = ${caller.organizationId}::bigint and id::text = ${value}`);
  return row?.name ?? value;
}
