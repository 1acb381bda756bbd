// Where a person or company can be reached: addresses, e-mail addresses and phone numbers, owned by a record of any type.
// Who may read the record reads them with it; the policy below is for those asked for by themselves.
import type { AccessPolicy, FieldDefinition, RecordTypeDefinition } from "../../metadata/record-type.ts";

const related: readonly FieldDefinition[] = [
  { name: "related_type", type: "short-text", required: true },
  { name: "related_id", type: "short-text", required: true },
];

const access: AccessPolicy = {
  read: ["owner", "owner_groups"],
  edit: ["owner", "owner_groups"],
  delete: ["owner", "owner_groups"],
  comment: [],
};

export const addresses: RecordTypeDefinition = {
  module: "core",
  controller: "addresses",
  label: "Address",
  plural: "Addresses",
  icon: "map-pin",
  hidden: true,
  displayField: "address_line_1",
  fields: [
    ...related,
    {
      name: "type",
      type: "choice",
      required: true,
      initial: "work",
      settings: {
        options: [
          { value: "primary", label: "Primary" },
          { value: "work", label: "Work" },
          { value: "home", label: "Home" },
          { value: "billing", label: "Billing" },
          { value: "shipping", label: "Shipping" },
          { value: "other", label: "Other" },
        ],
      },
    },
    { name: "address_line_1", type: "short-text", required: true, searchable: true },
    { name: "address_line_2", type: "short-text", searchable: true },
    { name: "city", type: "short-text", searchable: true },
    { name: "state_id", label: "State", type: "reference", settings: { to: "masters/states" } },
    { name: "country_id", label: "Country", type: "reference", settings: { to: "masters/countries" } },
    { name: "zip", label: "ZIP or postal code", type: "short-text", settings: { maxLength: 20 } },
    { name: "is_primary", label: "Primary", type: "flag", initial: "0" },
  ],
  associations: [{ kind: "belongs-to-any", name: "related" }],
  access,
  indexes: [["related_type", "related_id"]],
};

export const emailAddresses: RecordTypeDefinition = {
  module: "core",
  controller: "email_addresses",
  label: "Email address",
  plural: "Email addresses",
  icon: "mail",
  hidden: true,
  displayField: "email",
  fields: [
    ...related,
    { name: "email", label: "Email", type: "email", required: true, searchable: true },
    {
      name: "type",
      type: "choice",
      initial: "work",
      settings: {
        options: [
          { value: "primary", label: "Primary" },
          { value: "work", label: "Work" },
          { value: "home", label: "Home" },
          { value: "billing", label: "Billing" },
          { value: "other", label: "Other" },
        ],
      },
    },
    { name: "email_opt_out", label: "No mailings", type: "flag", initial: "0" },
    { name: "is_confirmed", label: "Confirmed", type: "flag", initial: "0", permission: 4 },
    { name: "is_primary", label: "Primary", type: "flag", initial: "0" },
  ],
  associations: [{ kind: "belongs-to-any", name: "related" }],
  access,
  indexes: [["related_type", "related_id"], ["email"]],
};

export const phoneNumbers: RecordTypeDefinition = {
  module: "core",
  controller: "phone_numbers",
  label: "Phone number",
  plural: "Phone numbers",
  icon: "phone",
  hidden: true,
  displayField: "number",
  fields: [
    ...related,
    { name: "number", type: "phone", required: true, searchable: true },
    {
      name: "type",
      type: "choice",
      required: true,
      initial: "work",
      settings: {
        options: [
          { value: "primary", label: "Primary" },
          { value: "work", label: "Work" },
          { value: "mobile", label: "Mobile" },
          { value: "home", label: "Home" },
          { value: "fax", label: "Fax" },
          { value: "other", label: "Other" },
        ],
      },
    },
    { name: "is_primary", label: "Primary", type: "flag", initial: "0" },
  ],
  associations: [{ kind: "belongs-to-any", name: "related" }],
  access,
  indexes: [["related_type", "related_id"]],
};
