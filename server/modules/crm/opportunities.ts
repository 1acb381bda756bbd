// Opportunities: deals on their way from the first talk to won or lost.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";
import { discussion } from "./associations.ts";
import { lostReasons, sources, tags } from "./choices.ts";

export const opportunities: RecordTypeDefinition = {
  module: "crm",
  controller: "opportunities",
  label: "Opportunity",
  plural: "Opportunities",
  icon: "target-arrow",
  displayField: "name",
  businessKey: { prefix: "O-", digits: 6 },
  allowComments: true,
  forms: true,
  workflow: true,
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true },
    {
      name: "company_id",
      label: "Company",
      type: "reference",
      required: true,
      settings: { to: "crm/companies" },
    },
    { name: "person_id", label: "Primary contact", type: "reference", settings: { to: "crm/peoples" } },
    { name: "type_id", label: "Type", type: "reference", settings: { to: "crm/types" } },
    { name: "sub_type_id", label: "Sub type", type: "reference", settings: { to: "crm/sub_types" } },
    {
      name: "stage",
      type: "choice",
      required: true,
      initial: "qualification",
      settings: {
        options: [
          { value: "qualification", label: "Qualification", color: "gray" },
          { value: "needs_analysis", label: "Needs analysis", color: "blue" },
          { value: "proposal", label: "Proposal", color: "indigo" },
          { value: "negotiation", label: "Negotiation", color: "violet" },
          { value: "won", label: "Closed won", color: "green" },
          { value: "lost", label: "Closed lost", color: "red" },
        ],
      },
    },
    { name: "amount", type: "money", settings: { scale: 2, currencyField: "currency_id" } },
    { name: "currency_id", label: "Currency", type: "reference", settings: { to: "masters/currencies" } },
    { name: "probability", type: "percent", settings: { scale: 0 } },
    {
      name: "forecast",
      type: "choice",
      settings: {
        options: [
          { value: "pipeline", label: "Pipeline" },
          { value: "best_case", label: "Best case" },
          { value: "commit", label: "Commit" },
          { value: "closed", label: "Closed" },
          { value: "omitted", label: "Omitted" },
        ],
      },
    },
    { name: "expected_close", type: "date", settings: { due: true } },
    { name: "closed", label: "Closed on", type: "date-time" },
    { name: "lost_reason", type: "choice", settings: { options: lostReasons } },
    { name: "competitor", type: "short-text", searchable: true },
    { name: "next_step", type: "short-text" },
    { name: "next_step_date", type: "date", settings: { due: true } },
    { name: "source", type: "choice", settings: { options: sources } },
    { name: "campaign", type: "short-text", searchable: true },
    { name: "score", type: "integer", settings: { min: 0, max: 100 } },
    { name: "tags", type: "multiple-choice", settings: { options: tags } },
    { name: "last_contacted", type: "date-time" },
    { name: "description", type: "long-text" },
  ],
  associations: [...discussion],
  access: {
    read: ["owner", "owner_groups", "primary_group", "role:sales_manager"],
    edit: ["owner", "role:sales_manager"],
    delete: ["owner", "role:sales_manager"],
    comment: ["owner", "owner_groups", "primary_group", "role:sales_manager"],
  },
  indexes: [["company_id"], ["person_id"], ["stage"], ["expected_close"]],
};
