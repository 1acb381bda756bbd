// What the labels of an organization (record types, fields, options, views, forms, stages, menu entries) are called in other languages.
// One text is one record, wherever it stands; without one, what ships is shown, else the label itself.
import { languageNames } from "../../../contract/texts/languages.ts";
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const translations: RecordTypeDefinition = {
  module: "core",
  controller: "translations",
  label: "Translation",
  plural: "Translations",
  icon: "language",
  setup: true,
  displayField: "label",
  fields: [
    {
      name: "label",
      type: "short-text",
      required: true,
      searchable: true,
      indexed: true,
      settings: { maxLength: 500 },
      help: "The label exactly as it was written in the designer, including upper and lower case",
    },
    {
      name: "language",
      type: "choice",
      required: true,
      settings: { options: Object.entries(languageNames).map(([value, { name }]) => ({ value, label: name })) },
    },
    { name: "translation", type: "short-text", required: true, searchable: true, settings: { maxLength: 500 } },
  ],
  unique: [["language", "label"]],
  access: {
    read: ["role:administrator"],
    edit: ["role:administrator"],
    delete: ["role:administrator"],
    comment: [],
  },
};
