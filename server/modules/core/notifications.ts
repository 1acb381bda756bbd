// What a person was told: somebody mentioned them, something waits for them. A notification is owned by the person that
// it is for, and nobody else reads it, administrators included. Written by the service alone (records/workflow/notifications.ts).
import { keptByTheService } from "../../metadata/kept-by-the-service.ts";
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const notifications: RecordTypeDefinition = {
  module: "core",
  controller: "notifications",
  label: "Notification",
  plural: "Notifications",
  icon: "bell",
  hidden: true,
  refuses: { add: keptByTheService, edit: keptByTheService },
  displayField: "text",
  fields: [
    {
      name: "kind",
      type: "short-text",
      required: true,
      permission: 4,
      help: "The kind of notification, such as mention",
    },
    { name: "text", type: "short-text", required: true, permission: 4, searchable: true, settings: { maxLength: 500 } },
    { name: "related_type", type: "short-text", permission: 4 },
    { name: "related_id", type: "short-text", permission: 4 },
    { name: "related_name", label: "Record", type: "short-text", permission: 4, settings: { maxLength: 500 } },
    { name: "read_at", label: "Read", type: "date-time", permission: 4 },
  ],
  associations: [{ kind: "belongs-to-any", name: "related" }],
  confidential: true,
  access: { read: ["owner"], edit: [], delete: ["owner"], comment: [] },
  indexes: [
    ["owned_by", "read_at"],
    ["related_type", "related_id"],
  ],
};
