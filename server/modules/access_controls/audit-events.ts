// The log of security events. Written by access/audit.ts alone; administrators list it like any record type.
import { auditEvents } from "../../access/audit.ts";
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const auditLog: RecordTypeDefinition = {
  module: "access_controls",
  controller: "audit_events",
  label: "Audit event",
  plural: "Audit log",
  icon: "history",
  displayField: "event",
  hidden: true,
  appendOnly: true,
  writtenByService: true,
  fields: [
    {
      name: "event",
      type: "choice",
      permission: 4,
      settings: { options: Object.entries(auditEvents).map(([value, label]) => ({ value, label })) },
    },
    { name: "user_name", label: "User name", type: "short-text", permission: 4, searchable: true },
    { name: "address", type: "short-text", permission: 4, searchable: true },
    { name: "subject_type", label: "What kind", type: "short-text", permission: 4 },
    { name: "subject_id", label: "Which", type: "short-text", permission: 4 },
    { name: "subject_name", label: "Its name", type: "short-text", permission: 4, searchable: true },
    { name: "detail", type: "json", permission: 4 },
  ],
  access: { read: ["role:administrator"], edit: [], delete: [], comment: [] },
  indexes: [["event"], ["subject_type", "subject_id"]],
};
