// What people say about a record, of whatever type; an answer names the comment that it answers.
// It is there for those who may read the record; its author alone changes it.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const comments: RecordTypeDefinition = {
  module: "core",
  controller: "comments",
  label: "Comment",
  plural: "Comments",
  icon: "message",
  hidden: true,
  displayField: "body",
  fields: [
    { name: "related_type", type: "short-text", required: true },
    { name: "related_id", type: "short-text", required: true },
    { name: "body", label: "Comment", type: "long-text", required: true, searchable: true },
    { name: "parent_id", label: "Reply to", type: "reference", settings: { to: "core/comments" } },
  ],
  associations: [
    { kind: "belongs-to-any", name: "related" },
    { kind: "has-many", name: "answers", type: "core/comments", via: "parent_id" },
  ],
  follows: "read",
  access: {
    read: ["owner"],
    edit: ["owner"],
    delete: ["owner", "role:administrator"],
    comment: [],
  },
  indexes: [["related_type", "related_id"]],
};
