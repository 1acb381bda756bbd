// The form of companies: what they do, how to reach them, where they are, and on which terms they buy.
import { fields, lastSections, type StandardForm } from "./form-sections.ts";

export const companyForm: StandardForm = {
  controller: "crm/companies",
  name: "Company",
  definition: {
    sections: [
      {
        section: "Details",
        columns: 2,
        elements: fields(
          "name",
          "industry",
          "type_id",
          "sub_type_id",
          "rating",
          "employees",
          "parent_id",
          "customer_since",
          "description",
        ),
      },
      {
        section: "Contact",
        columns: 2,
        elements: [
          ...fields("website", "email", "phone", "last_contacted"),
          { grid: "email_addresses" },
          { grid: "phone_numbers" },
        ],
      },
      {
        section: "Address",
        columns: 2,
        elements: [...fields("billing_address", "country_id", "location"), { grid: "addresses" }],
      },
      {
        section: "Finance",
        columns: 2,
        elements: fields("annual_revenue", "currency_id", "credit_limit", "payment_terms", "tax_number"),
      },
      { section: "Background", columns: 2, elements: fields("legal_name", "ownership", "source", "tags") },
      {
        section: "Related",
        elements: [{ related: "peoples" }, { related: "opportunities" }, { related: "subsidiaries" }],
      },
      ...lastSections,
    ],
  },
};
