// Languages as people write them in a country: what dates, numbers and names are formatted by.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const locales: RecordTypeDefinition = {
  module: "masters",
  controller: "locales",
  label: "Locale",
  plural: "Locales",
  icon: "language",
  scope: "shared",
  idKind: "integer",
  displayField: "name",
  fields: [
    { name: "code", type: "short-text", required: true, searchable: true, settings: { maxLength: 16 } },
    { name: "name", type: "short-text", required: true, searchable: true },
    { name: "native_name", label: "Own name", type: "short-text", searchable: true },
    {
      name: "direction",
      type: "choice",
      initial: "ltr",
      settings: {
        options: [
          { value: "ltr", label: "Left to right" },
          { value: "rtl", label: "Right to left" },
        ],
      },
    },
  ],
  access: { read: ["everyone"], edit: [], delete: [], comment: [] },
  unique: [["code"]],
};
