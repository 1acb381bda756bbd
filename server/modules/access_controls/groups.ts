// Groups of people; a group can contain groups.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const groups: RecordTypeDefinition = {
  module: "access_controls",
  controller: "groups",
  label: "Group",
  plural: "Groups",
  icon: "users-group",
  displayField: "name",
  forms: true,
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true },
    { name: "description", type: "long-text" },
    { name: "principal_id", type: "integer", permission: 1 },
  ],
  associations: [
    { kind: "has-many", name: "members", type: "access_controls/group_members", via: "group_id", owned: true },
    {
      kind: "has-many-through",
      name: "users",
      type: "access_controls/users",
      through: "access_controls/group_members",
      via: "group_id",
      to: "user_id",
    },
  ],
  access: { read: ["organization"], edit: ["role:administrator"], delete: ["role:administrator"], comment: [] },
  unique: [["name"], ["principal_id"]],
};

export const groupMembers: RecordTypeDefinition = {
  module: "access_controls",
  controller: "group_members",
  label: "Group member",
  plural: "Group members",
  displayField: "group_id",
  hidden: true,
  fields: [
    { name: "group_id", label: "Group", type: "reference", required: true, settings: { to: "access_controls/groups" } },
    { name: "user_id", label: "User", type: "reference", settings: { to: "access_controls/users" } },
    { name: "member_group_id", label: "Member group", type: "reference", settings: { to: "access_controls/groups" } },
  ],
  access: { read: ["organization"], edit: ["role:administrator"], delete: ["role:administrator"], comment: [] },
  unique: [
    ["group_id", "user_id"],
    ["group_id", "member_group_id"],
  ],
};
