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
    {
      name: "controller",
      label: "Record type",
      type: "short-text",
      required: true,
      settings: { names: "record-type" },
    },
    {
      name: "definition",
      type: "json",
      required: true,
      settings: { document: "form" },
      help: "Tabs or sections of elements: fields, grids of children, related lists",
    },
    {
      name: "is_default",
      label: "In use",
      type: "flag",
      initial: "0",
      help: "Replaces the default form. If several are active, the latest one is used",
    },
    { name: "description", type: "long-text" },
  ],
  // Its author needs the right to design the record type beside this: form-hooks.ts.
  access: {
    read: ["organization"],
    edit: ["role:administrator", "owner"],
    delete: ["role:administrator", "owner"],
    comment: [],
  },
  indexes: [["controller"]],
};
