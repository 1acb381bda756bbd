// How files of a record type are imported, kept to be used again: which column goes where, and all else that an import takes.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const importMappings: RecordTypeDefinition = {
  module: "core",
  controller: "import_mappings",
  label: "Import mapping",
  plural: "Import mappings",
  icon: "file-text",
  hidden: true,
  displayField: "name",
  about: "controller",
  aboutNeeds: "import",
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true },
    {
      name: "controller",
      label: "Record type",
      type: "short-text",
      required: true,
      settings: { names: "record-type" },
    },
    {
      name: "settings",
      type: "json",
      required: true,
      // It names fields that a reader of the mapping may not see: the operation `settings` tells the others.
      permission: 1,
      writeOnly: true,
      help: "Parameters of an import, such as mapping, mode and key",
    },
    { name: "is_personal", label: "Personal", type: "flag", initial: "1", help: "Visible only to its owner" },
  ],
  personalFlag: "is_personal",
  access: {
    read: ["owner", "role:administrator"],
    edit: ["owner", "role:administrator"],
    delete: ["owner", "role:administrator"],
    comment: [],
  },
  indexes: [["controller"]],
};
