// Companies: who business is done with.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";
import { contactPoints, discussion } from "./associations.ts";
import { industries, ratings, sources, tags } from "./choices.ts";

export const companies: RecordTypeDefinition = {
  module: "crm",
  controller: "companies",
  label: "Company",
  plural: "Companies",
  icon: "building",
  displayField: "name",
  businessKey: { prefix: "C-", digits: 6 },
  allowComments: true,
  forms: true,
  workflow: true,
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true, indexed: true },
    { name: "legal_name", type: "short-text", searchable: true },
    { name: "type_id", label: "Type", type: "reference", settings: { to: "crm/types" } },
    { name: "sub_type_id", label: "Sub type", type: "reference", settings: { to: "crm/sub_types" } },
    { name: "parent_id", label: "Parent company", type: "reference", settings: { to: "crm/companies" } },
    { name: "industry", type: "choice", settings: { options: industries } },
    { name: "rating", type: "choice", settings: { options: ratings } },
    {
      name: "ownership",
      type: "choice",
      settings: {
        options: [
          { value: "private", label: "Private" },
          { value: "family", label: "Family-owned" },
          { value: "listed", label: "Listed" },
          { value: "public_body", label: "Public body" },
          { value: "non_profit", label: "Non-profit" },
        ],
      },
    },
    { name: "annual_revenue", type: "money", settings: { scale: 2, currencyField: "currency_id" } },
    { name: "credit_limit", type: "money", settings: { scale: 2, currencyField: "currency_id" } },
    { name: "currency_id", label: "Currency", type: "reference", settings: { to: "masters/currencies" } },
    {
      name: "payment_terms",
      type: "choice",
      settings: {
        options: [
          { value: "prepaid", label: "In advance" },
          { value: "net_14", label: "14 days net" },
          { value: "net_30", label: "30 days net" },
          { value: "net_60", label: "60 days net" },
        ],
      },
    },
    { name: "employees", type: "integer", settings: { min: 0 } },
    { name: "tax_number", type: "short-text", searchable: true, settings: { maxLength: 32 } },
    { name: "website", type: "url" },
    { name: "email", label: "Email", type: "email", searchable: true },
    { name: "phone", type: "phone", searchable: true },
    { name: "country_id", label: "Country", type: "reference", settings: { to: "masters/countries" } },
    { name: "billing_address", type: "address" },
    { name: "location", type: "geo-point" },
    { name: "source", type: "choice", settings: { options: sources } },
    { name: "tags", type: "multiple-choice", settings: { options: tags } },
    { name: "customer_since", type: "date" },
    { name: "last_contacted", type: "date-time" },
    { name: "description", type: "long-text" },
  ],
  duplicates: [
    ["email", "email_addresses.email"],
    ["phone", "phone_numbers.number"],
  ],
  associations: [
    ...contactPoints,
    { kind: "has-many", name: "peoples", label: "People", type: "crm/peoples", via: "company_id" },
    { kind: "has-many", name: "opportunities", type: "crm/opportunities", via: "company_id" },
    { kind: "has-many", name: "subsidiaries", type: "crm/companies", via: "parent_id" },
    ...discussion,
  ],
  access: {
    read: ["organization"],
    edit: ["owner", "owner_groups"],
    delete: ["owner", "role:sales_manager"],
    comment: ["organization"],
  },
  indexes: [["name"], ["industry"], ["country_id"]],
};
