// Invitations to join an organization. The secret of the link is a one-time token, never in the record.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const invitations: RecordTypeDefinition = {
  module: "access_controls",
  controller: "invitations",
  label: "Invitation",
  plural: "Invitations",
  icon: "mail",
  idKind: "uuid",
  displayField: "email",
  hidden: true,
  refuses: { edit: "refuses_invitation_edit" },
  fields: [
    { name: "email", label: "Email", type: "email", required: true, searchable: true },
    { name: "role_id", label: "Role", type: "reference", required: true, settings: { to: "access_controls/roles" } },
    {
      name: "status",
      type: "choice",
      initial: "open",
      permission: 4,
      settings: {
        options: [
          { value: "open", label: "Open", color: "blue" },
          { value: "accepted", label: "Accepted", color: "green" },
          { value: "revoked", label: "Revoked", color: "gray" },
        ],
      },
    },
    { name: "expires", type: "date-time", permission: 4 },
    { name: "last_sent", type: "date-time", permission: 4 },
    { name: "times_sent", type: "integer", permission: 4 },
    { name: "accepted", type: "date-time", permission: 4 },
    { name: "accepted_by", label: "User", type: "integer", permission: 1 },
  ],
  access: {
    read: ["role:administrator"],
    edit: ["role:administrator"],
    delete: ["role:administrator"],
    comment: [],
  },
  indexes: [["email"]],
};
