// Secret addresses under which a list can be subscribed to: as a calendar, as RSS, as CSV. Whoever has the address reads what the
// user who made it can see, for as long as the record is there. The secret is a hash in a table of its own.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const feedLinks: RecordTypeDefinition = {
  module: "core",
  controller: "feed_links",
  label: "Feed link",
  plural: "Feed links",
  icon: "calendar",
  setup: true,
  displayField: "name",
  movesUnlogged: true,
  refuses: { edit: "refuses_feed_link_edit" },
  fields: [
    { name: "name", type: "short-text", required: true },
    {
      name: "listview_id",
      label: "List view",
      type: "reference",
      required: true,
      settings: { to: "core/listviews" },
    },
    {
      name: "format",
      type: "choice",
      required: true,
      initial: "rss",
      settings: {
        options: [
          { value: "rss", label: "RSS" },
          { value: "calendar", label: "Calendar (iCalendar)" },
          { value: "csv", label: "CSV" },
        ],
      },
    },
    { name: "expires", type: "date-time", help: "Leave empty for no expiry" },
    {
      name: "user_id",
      label: "User",
      type: "reference",
      permission: 4,
      initialFormula: "me()",
      settings: { to: "access_controls/users" },
    },
    { name: "last_used", type: "date-time", permission: 4 },
  ],
  access: { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: [] },
  indexes: [["user_id"], ["listview_id"]],
};
