// People who can log in. Passwords live in a table of secrets, never in a record.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const users: RecordTypeDefinition = {
  module: "access_controls",
  controller: "users",
  label: "User",
  plural: "Users",
  icon: "user",
  displayField: "name",
  fields: [
    { name: "user_name", type: "short-text", required: true, searchable: true, settings: { maxLength: 64 } },
    { name: "first_name", type: "short-text", searchable: true },
    { name: "last_name", type: "short-text", required: true, searchable: true },
    { name: "name", label: "Full name", type: "short-text", searchable: true, permission: 4 },
    { name: "title", type: "short-text" },
    { name: "manager_id", label: "Manager", type: "reference", settings: { to: "access_controls/users" } },
    { name: "is_active", type: "flag", initial: "1" },
    { name: "time_zone", type: "short-text", initial: "UTC" },
    { name: "locale", type: "short-text", initial: "en-US" },
    {
      name: "hour_format",
      type: "choice",
      initial: "24",
      settings: {
        options: [
          { value: "12", label: "12 hours" },
          { value: "24", label: "24 hours" },
        ],
      },
    },
    { name: "theme", type: "short-text", initial: "default/auto" },
    { name: "last_login", type: "date-time", permission: 4 },
    { name: "principal_id", type: "integer", permission: 1 },
  ],
  associations: [
    {
      kind: "has-many",
      name: "roles_users",
      label: "Roles",
      type: "access_controls/roles_users",
      via: "user_id",
      owned: true,
    },
    {
      kind: "has-many-through",
      name: "roles",
      type: "access_controls/roles",
      through: "access_controls/roles_users",
      via: "user_id",
      to: "role_id",
    },
    {
      kind: "has-many-through",
      name: "groups",
      type: "access_controls/groups",
      through: "access_controls/group_members",
      via: "user_id",
      to: "group_id",
    },
    { kind: "has-many-polymorphic", name: "addresses", type: "core/addresses", owned: true },
    {
      kind: "has-many-polymorphic",
      name: "email_addresses",
      label: "E-mail addresses",
      type: "core/email_addresses",
      owned: true,
    },
    { kind: "has-many-polymorphic", name: "phone_numbers", type: "core/phone_numbers", owned: true },
    { kind: "has-many-polymorphic", name: "images", type: "core/attachments", owned: true },
  ],
  access: {
    read: ["organization"],
    edit: ["role:administrator", "owner"],
    delete: ["role:administrator"],
    comment: ["organization"],
  },
  unique: [["user_name"], ["principal_id"]],
};
