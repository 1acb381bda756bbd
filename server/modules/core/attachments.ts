// Files that belong to a record of any type: they are there for those who may read it, and changed by those who may
// edit it.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const attachments: RecordTypeDefinition = {
  module: "core",
  controller: "attachments",
  label: "Attachment",
  plural: "Attachments",
  icon: "paperclip",
  hidden: true,
  displayField: "name",
  fields: [
    { name: "related_type", type: "short-text", required: true },
    { name: "related_id", type: "short-text", required: true },
    { name: "name", type: "short-text", required: true, searchable: true },
    { name: "file", type: "file", required: true, searchable: true },
  ],
  associations: [{ kind: "belongs-to-any", name: "related" }],
  follows: "edit",
  access: { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: [] },
  indexes: [["related_type", "related_id"]],
};
