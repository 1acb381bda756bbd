// The countries of ISO 3166-1 and their first-level subdivisions of ISO 3166-2.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const countries: RecordTypeDefinition = {
  module: "masters",
  controller: "countries",
  label: "Country",
  plural: "Countries",
  icon: "world",
  scope: "shared",
  idKind: "integer",
  displayField: "name",
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true, aliases: ["country_name"] },
    { name: "official_name", label: "ISO name", type: "short-text", searchable: true },
    { name: "iso2", label: "Two-letter code", type: "short-text", required: true, settings: { maxLength: 2 } },
    { name: "iso3", label: "Three-letter code", type: "short-text", required: true, settings: { maxLength: 3 } },
    { name: "numeric_code", type: "short-text", required: true, settings: { maxLength: 3 } },
    { name: "currency_code", label: "Currency", type: "short-text", settings: { maxLength: 3 } },
    { name: "is_active", label: "Active", type: "flag", initial: "1" },
  ],
  associations: [{ kind: "has-many", name: "states", type: "masters/states", via: "country_id" }],
  access: { read: ["everyone"], edit: [], delete: [], comment: [] },
  unique: [["iso2"], ["iso3"], ["numeric_code"]],
};

export const states: RecordTypeDefinition = {
  module: "masters",
  controller: "states",
  label: "State",
  plural: "States",
  icon: "map",
  scope: "shared",
  idKind: "integer",
  displayField: "name",
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true, aliases: ["state_name"] },
    { name: "code", label: "ISO 3166-2 code", type: "short-text", required: true, settings: { maxLength: 6 } },
    {
      name: "country_id",
      label: "Country",
      type: "reference",
      required: true,
      settings: { to: "masters/countries" },
    },
  ],
  access: { read: ["everyone"], edit: [], delete: [], comment: [] },
  unique: [["code"]],
  indexes: [["country_id"]],
};
