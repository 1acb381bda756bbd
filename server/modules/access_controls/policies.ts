// An organization's own access policy for a record type, in place of the one the type was defined with.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const policies: RecordTypeDefinition = {
  module: "access_controls",
  controller: "policies",
  label: "Access policy",
  plural: "Access policies",
  icon: "lock",
  displayField: "record_type",
  fields: [
    { name: "record_type", type: "short-text", required: true, settings: { names: "record-type" } },
    {
      name: "policy",
      type: "json",
      required: true,
      settings: { document: "policy" },
      help: "Who can view, edit, delete and comment. Replaces the record type's own rules",
    },
  ],
  access: { read: ["organization"], edit: ["role:administrator"], delete: ["role:administrator"], comment: [] },
  unique: [["record_type"]],
};

export const shares: RecordTypeDefinition = {
  module: "access_controls",
  controller: "shares",
  label: "Share",
  plural: "Shares",
  displayField: "related_id",
  hidden: true,
  fields: [
    { name: "related_type", type: "short-text", required: true },
    { name: "related_id", type: "short-text", required: true },
    { name: "principal_id", type: "integer", required: true, help: "The user or group the record is shared with" },
    {
      name: "rights",
      type: "multiple-choice",
      required: true,
      settings: { options: ["read", "edit", "delete", "comment"].map((value) => ({ value, label: value })) },
    },
    { name: "until", type: "date-time" },
  ],
  associations: [{ kind: "belongs-to-any", name: "related" }],
  // Who a record is shared with is for those who may read it, and whoever may edit it decides.
  follows: "edit",
  access: { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: [] },
  unique: [["related_type", "related_id", "principal_id"]],
};
