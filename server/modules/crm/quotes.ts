// Quotes: what a customer is offered for an opportunity, at which discount, and whether that was approved.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";
import { discussion } from "./associations.ts";

export const quotes: RecordTypeDefinition = {
  module: "crm",
  controller: "quotes",
  label: "Quote",
  plural: "Quotes",
  icon: "file-invoice",
  displayField: "name",
  businessKey: { prefix: "Q-", digits: 6 },
  allowComments: true,
  forms: true,
  workflow: true,
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true },
    { name: "opportunity_id", label: "Opportunity", type: "reference", settings: { to: "crm/opportunities" } },
    { name: "company_id", label: "Company", type: "reference", settings: { to: "crm/companies" } },
    { name: "amount", label: "List amount", type: "money", settings: { scale: 2, currencyField: "currency_id" } },
    { name: "currency_id", label: "Currency", type: "reference", settings: { to: "masters/currencies" } },
    { name: "discount", type: "percent", settings: { scale: 1 } },
    {
      name: "net_amount",
      label: "Offered amount",
      type: "money",
      permission: 4,
      setByWorkflow: true,
      settings: { scale: 2, currencyField: "currency_id" },
    },
    { name: "valid_until", type: "date", settings: { due: true } },
    { name: "type_id", label: "Type", type: "reference", settings: { to: "crm/types" } },
    { name: "sub_type_id", label: "Sub type", type: "reference", settings: { to: "crm/sub_types" } },
    {
      name: "approved_by_id",
      label: "Approved by",
      type: "reference",
      permission: 4,
      setByWorkflow: true,
      settings: { to: "access_controls/users" },
    },
    { name: "approved", label: "Approved on", type: "date-time", permission: 4, setByWorkflow: true },
    { name: "description", type: "long-text" },
  ],
  associations: [...discussion],
  access: {
    read: ["owner", "owner_groups", "role:sales_manager"],
    edit: ["owner"],
    delete: ["owner", "role:sales_manager"],
    comment: ["owner", "owner_groups", "role:sales_manager"],
  },
  indexes: [["opportunity_id"], ["company_id"]],
};
