// Forms: how a record type is laid out for people, what is required when, who may change what. One that is saved as
// default takes the place of the generated one.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const forms: RecordTypeDefinition = {
  module: "core",
  controller: "forms",
  label: "Form",
  plural: "Forms",
  icon: "forms",
  idKind: "uuid",
  displayField: "name",
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true },
    { name: "controller", label: "Record type", type: "short-text", required: true, help: "<module>/<controller>" },
    {
      name: "definition",
      type: "json",
      required: true,
      help: "Tabs or sections of elements: fields, grids of children, related lists",
    },
    { name: "is_default", label: "Default", type: "flag", initial: "0" },
    { name: "description", type: "long-text" },
  ],
  access: { read: ["organization"], edit: ["role:administrator"], delete: ["role:administrator"], comment: [] },
  indexes: [["controller"]],
};
