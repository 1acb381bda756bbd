// The currencies of ISO 4217 that money can be counted in.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const currencies: RecordTypeDefinition = {
  module: "masters",
  controller: "currencies",
  label: "Currency",
  plural: "Currencies",
  icon: "coin",
  scope: "shared",
  idKind: "integer",
  displayField: "code",
  fields: [
    { name: "code", type: "short-text", required: true, searchable: true, settings: { maxLength: 3 } },
    { name: "name", type: "short-text", required: true, searchable: true },
    { name: "symbol", type: "short-text", settings: { maxLength: 8 } },
    { name: "numeric_code", type: "short-text", settings: { maxLength: 3 } },
    { name: "decimals", type: "integer", required: true, settings: { min: 0, max: 4 } },
  ],
  access: { read: ["everyone"], edit: [], delete: [], comment: [] },
  unique: [["code"]],
};
