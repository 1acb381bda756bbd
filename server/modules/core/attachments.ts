// Files that belong to a record of any type. The content is in the file store, under the storage key.
// Who may read the record reads its files with it; the policy below is for files asked for by themselves.
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
    { name: "file_name", type: "short-text", required: true, permission: 4, searchable: true },
    { name: "mime_type", label: "Kind of file", type: "short-text", required: true, permission: 4 },
    { name: "size", label: "Size in bytes", type: "integer", permission: 4, settings: { min: 0 } },
    { name: "storage_key", type: "short-text", required: true, permission: 1 },
    { name: "width", type: "integer", permission: 4, settings: { min: 0 } },
    { name: "height", type: "integer", permission: 4, settings: { min: 0 } },
    { name: "is_image", label: "Image", type: "flag", initial: "0", permission: 4 },
  ],
  associations: [{ kind: "belongs-to-any", name: "related" }],
  access: {
    read: ["owner", "owner_groups"],
    edit: ["owner"],
    delete: ["owner", "role:administrator"],
    comment: [],
  },
  indexes: [["related_type", "related_id"]],
};
