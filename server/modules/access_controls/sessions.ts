// Logged-in sessions and personal API keys. Their secrets are hashes in a table of their own.
import { keptByTheService } from "../../metadata/kept-by-the-service.ts";
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const sessions: RecordTypeDefinition = {
  module: "access_controls",
  controller: "sessions",
  label: "Session",
  plural: "Sessions",
  idKind: "uuid",
  displayField: "user_agent",
  movesUnlogged: true,
  hidden: true,
  fields: [
    { name: "user_id", label: "User", type: "reference", required: true, settings: { to: "access_controls/users" } },
    { name: "address", type: "short-text", permission: 4 },
    { name: "user_agent", label: "Program", type: "short-text", permission: 4, settings: { maxLength: 400 } },
    { name: "last_used", type: "date-time", permission: 4 },
    { name: "expires", type: "date-time", permission: 4 },
    { name: "ended", type: "date-time", permission: 4 },
  ],
  refuses: { add: "refuses_new_session", edit: keptByTheService },
  access: { read: ["owner"], edit: [], delete: ["owner"], comment: [] },
  indexes: [["user_id"]],
};

export const apiKeys: RecordTypeDefinition = {
  module: "access_controls",
  controller: "api_keys",
  label: "API key",
  plural: "API keys",
  icon: "key",
  refuses: { edit: "refuses_key_edit" },
  displayField: "name",
  movesUnlogged: true,
  fields: [
    { name: "name", type: "short-text", required: true },
    {
      name: "user_id",
      label: "User",
      type: "reference",
      required: true,
      permission: 4,
      settings: { to: "access_controls/users" },
    },
    {
      name: "scope",
      type: "choice",
      required: true,
      initial: "read",
      settings: {
        options: [
          { value: "read", label: "Read" },
          { value: "write", label: "Read and write" },
        ],
      },
    },
    {
      name: "limits",
      type: "json",
      help: 'By record type, what the key can be used for, such as {"crm/leads": ["read"], "access_controls/users": ["view"]}. Leave empty for everything its user can do',
    },
    {
      name: "networks",
      type: "long-text",
      help: "Addresses the key works from, such as 203.0.113.7 or 10.0.0.0/8. Leave empty for everywhere",
    },
    { name: "hint", label: "Starts with", type: "short-text", permission: 4 },
    { name: "expires", type: "date-time" },
    { name: "last_used", type: "date-time", permission: 4 },
    { name: "revoked", type: "date-time", permission: 4 },
  ],
  access: { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: [] },
  indexes: [["user_id"]],
};
