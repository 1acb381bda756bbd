// The two levels by which an organization sorts its leads, people, companies and opportunities.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const types: RecordTypeDefinition = {
  module: "crm",
  controller: "types",
  label: "Type",
  plural: "Types",
  icon: "tag",
  displayField: "name",
  forms: true,
  workflow: true,
  setup: true,
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true },
    {
      name: "applies_to",
      type: "choice",
      required: true,
      settings: {
        options: [
          { value: "leads", label: "Leads" },
          { value: "peoples", label: "People" },
          { value: "companies", label: "Companies" },
          { value: "opportunities", label: "Opportunities" },
          { value: "quotes", label: "Quotes" },
        ],
      },
    },
    { name: "sequence", type: "integer", initial: "0" },
  ],
  associations: [{ kind: "has-many", name: "sub_types", type: "crm/sub_types", via: "type_id", owned: true }],
  access: { read: ["organization"], edit: ["role:administrator"], delete: ["role:administrator"], comment: [] },
  unique: [["applies_to", "name"]],
};

export const subTypes: RecordTypeDefinition = {
  module: "crm",
  controller: "sub_types",
  label: "Sub type",
  plural: "Sub types",
  icon: "tags",
  displayField: "name",
  forms: true,
  workflow: true,
  setup: true,
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true },
    { name: "type_id", label: "Type", type: "reference", required: true, settings: { to: "crm/types" } },
    { name: "sequence", type: "integer", initial: "0" },
  ],
  access: { read: ["organization"], edit: ["role:administrator"], delete: ["role:administrator"], comment: [] },
  unique: [["type_id", "name"]],
};
