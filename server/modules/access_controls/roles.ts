// Roles: what a person may do, by record type (the operation matrix) and by field.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const roles: RecordTypeDefinition = {
  module: "access_controls",
  controller: "roles",
  label: "Role",
  plural: "Roles",
  icon: "shield",
  idKind: "uuid",
  displayField: "name",
  fields: [
    { name: "code", type: "short-text", required: true, help: "Used by policies. Can't be changed" },
    { name: "name", type: "short-text", required: true, searchable: true },
    { name: "description", type: "long-text" },
    { name: "is_administrator", type: "flag", initial: "0", help: "Has full access to the organization" },
    {
      name: "is_signup_role",
      type: "flag",
      initial: "0",
      help: "Available to people who sign up. Administrator roles can't be offered",
    },
    { name: "principal_id", type: "integer", permission: 1 },
  ],
  associations: [
    { kind: "has-many", name: "operations", type: "access_controls/role_operations", via: "role_id", owned: true },
    {
      kind: "has-many",
      name: "fields",
      label: "Field overrides",
      type: "access_controls/role_fields",
      via: "role_id",
      owned: true,
    },
    {
      kind: "has-many",
      name: "roles_users",
      label: "Members",
      type: "access_controls/roles_users",
      via: "role_id",
      shown: true,
    },
    {
      kind: "has-many-through",
      name: "users",
      type: "access_controls/users",
      through: "access_controls/roles_users",
      via: "role_id",
      to: "user_id",
    },
  ],
  access: { read: ["organization"], edit: ["role:administrator"], delete: ["role:administrator"], comment: [] },
  unique: [["code"], ["principal_id"]],
};

export const rolesUsers: RecordTypeDefinition = {
  module: "access_controls",
  controller: "roles_users",
  label: "User role",
  plural: "User roles",
  displayField: "role_id",
  hidden: true,
  fields: [
    { name: "role_id", label: "Role", type: "reference", required: true, settings: { to: "access_controls/roles" } },
    { name: "user_id", label: "User", type: "reference", required: true, settings: { to: "access_controls/users" } },
  ],
  access: { read: ["organization"], edit: ["role:administrator"], delete: ["role:administrator"], comment: [] },
  unique: [["user_id", "role_id"]],
};

export const roleOperations: RecordTypeDefinition = {
  module: "access_controls",
  controller: "role_operations",
  label: "Role operation",
  plural: "Role operations",
  displayField: "record_type",
  hidden: true,
  fields: [
    { name: "role_id", label: "Role", type: "reference", required: true, settings: { to: "access_controls/roles" } },
    {
      name: "record_type",
      type: "short-text",
      required: true,
      help: "<module>/<controller>, or * for all others",
    },
    {
      name: "operations",
      type: "multiple-choice",
      settings: {
        options: ["index", "view", "add", "edit", "delete", "comment", "import", "export", "bulk", "design"].map(
          (value) => ({
            value,
            label: value,
          }),
        ),
      },
    },
  ],
  access: { read: ["organization"], edit: ["role:administrator"], delete: ["role:administrator"], comment: [] },
  unique: [["role_id", "record_type"]],
};

export const roleFields: RecordTypeDefinition = {
  module: "access_controls",
  controller: "role_fields",
  label: "Role field override",
  plural: "Role field overrides",
  displayField: "field",
  hidden: true,
  fields: [
    { name: "role_id", label: "Role", type: "reference", required: true, settings: { to: "access_controls/roles" } },
    { name: "record_type", type: "short-text", required: true },
    { name: "field", type: "short-text", required: true },
    { name: "permission", type: "integer", required: true, settings: { min: 0, max: 4 } },
  ],
  access: { read: ["organization"], edit: ["role:administrator"], delete: ["role:administrator"], comment: [] },
  unique: [["role_id", "record_type", "field"]],
};
