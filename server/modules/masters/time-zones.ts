// The time zones of the IANA database, by the names that it uses today.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const timeZones: RecordTypeDefinition = {
  module: "masters",
  controller: "time_zones",
  label: "Time zone",
  plural: "Time zones",
  icon: "clock",
  scope: "shared",
  idKind: "integer",
  displayField: "name",
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true, settings: { maxLength: 64 } },
    { name: "standard_offset", type: "short-text", required: true, help: "Offset from UTC, such as +05:30" },
    {
      name: "summer_offset",
      type: "short-text",
      help: "Offset from UTC during daylight saving time. Empty if there is none",
    },
  ],
  access: { read: ["everyone"], edit: [], delete: [], comment: [] },
  unique: [["name"]],
};
