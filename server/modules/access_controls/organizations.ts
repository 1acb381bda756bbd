// Organizations: the walls between tenants. An organization's record belongs to itself.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const organizations: RecordTypeDefinition = {
  module: "access_controls",
  controller: "organizations",
  label: "Organization",
  plural: "Organizations",
  icon: "building",
  displayField: "name",
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true },
    { name: "currency_id", label: "Currency", type: "reference", settings: { to: "masters/currencies" } },
    { name: "time_zone", type: "short-text", initial: "UTC" },
    { name: "locale", type: "short-text", initial: "en-US", settings: { names: "locale" } },
    { name: "logo", type: "image" },
    { name: "allowed_domains", type: "long-text", help: "Email domains whose users can join, one per line" },
    { name: "is_operator", type: "flag", permission: 4, help: "This organization runs the server" },
    { name: "principal_id", type: "integer", permission: 1 },
  ],
  refuses: {
    add: "refuses_new_organization",
    delete: "refuses_organization_delete",
  },
  access: { read: ["organization"], edit: ["role:administrator"], delete: [], comment: [] },
};
