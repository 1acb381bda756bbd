// The list views of the audit log that a new organization starts with. Data only.
import { chart, type StandardView, table } from "./view-definition.ts";

const columns = ["event", "created", "user_name", "address", "subject_name", "subject_type"];
const widths = { event: "220", created: "200", subject_name: "220" };

const list = (name: string, events: readonly string[], description: string): StandardView => ({
  name,
  category: "Lists",
  helper: "table",
  query: table("audit_events", columns, { where: { event: [...events] }, widths }),
  description,
});

export const auditViews: readonly StandardView[] = [
  {
    name: "All events",
    category: "Lists",
    helper: "table",
    isDefault: true,
    query: table("audit_events", columns, { widths }),
  },
  list("Sign-ins", ["login", "login_failed", "logout", "session_ended"], "Sign-ins, sign-outs and failed attempts"),
  list(
    "Permission changes",
    ["role_changed", "role_assigned", "group_changed", "permission_changed", "organization_changed"],
    "Roles, groups, policies and shares",
  ),
  list(
    "User changes",
    ["signup", "user_added", "user_deactivated", "user_reactivated", "user_deleted", "invitation_accepted"],
    "Signups, invitations and deactivations",
  ),
  list("Exports and bulk changes", ["export", "bulk", "records_handed_over"], "Exports, bulk changes and transfers"),
  {
    name: "Failed sign-ins by address",
    category: "Charts",
    helper: "bar",
    query: chart("audit_events", ["address"], ["count(id) as Failures"], {
      where: { event: "login_failed" },
      order: ["Failures DESC"],
      chart: { category: "audit_events.address", value: "Failures" },
    }),
  },
];
