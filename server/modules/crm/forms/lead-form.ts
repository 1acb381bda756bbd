// The form of leads: who it is and how far they are, how to reach them, what they are worth, and what became of them.
import { fields, lastSections, type StandardForm } from "./form-sections.ts";

export const leadForm: StandardForm = {
  controller: "crm/leads",
  name: "Lead",
  definition: {
    sections: [
      {
        section: "Details",
        columns: 2,
        elements: fields(
          "first_name",
          "last_name",
          "company_name",
          "job_title",
          "status",
          "rating",
          "next_follow_up",
          "score",
          "description",
        ),
      },
      {
        section: "Contact",
        columns: 2,
        elements: [
          ...fields("email", "phone", "mobile", "website", "last_contacted", "do_not_email", "do_not_call"),
          { grid: "email_addresses" },
          { grid: "phone_numbers" },
        ],
      },
      {
        section: "Address",
        columns: 2,
        elements: [...fields("city", "country_id", "location"), { grid: "addresses" }],
      },
      {
        section: "Value",
        columns: 2,
        elements: fields("amount", "currency_id", "industry", "employees", "annual_revenue"),
      },
      {
        section: "Background",
        columns: 2,
        elements: fields(
          "salutation",
          "name",
          "department",
          "type_id",
          "sub_type_id",
          "source",
          "campaign",
          "referred_by_id",
          "tags",
        ),
      },
      {
        section: "Outcome",
        help: "Filled in when the lead is converted or disqualified",
        columns: 2,
        elements: fields(
          "converted",
          "converted_person_id",
          "converted_company_id",
          "converted_opportunity_id",
          "lost_reason",
        ),
      },
      ...lastSections,
    ],
  },
};
