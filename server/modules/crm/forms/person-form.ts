// The form of people: who they are and where they work, how to reach them, and what is related to them.
import { fields, lastSections, type StandardForm } from "./form-sections.ts";

export const personForm: StandardForm = {
  controller: "crm/peoples",
  name: "Person",
  definition: {
    sections: [
      {
        section: "Details",
        columns: 2,
        elements: fields(
          "first_name",
          "last_name",
          "company_id",
          "job_title",
          "department",
          "reports_to_id",
          "rating",
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
        elements: [...fields("mailing_address", "country_id", "location"), { grid: "addresses" }],
      },
      {
        section: "Background",
        columns: 2,
        elements: fields(
          "salutation",
          "name",
          "birthday",
          "locale_id",
          "type_id",
          "sub_type_id",
          "source",
          "referred_by_id",
          "tags",
        ),
      },
      {
        section: "Related",
        elements: [
          { related: "opportunities" },
          { related: "reports" },
          { related: "referrals" },
          { related: "referred_leads" },
        ],
      },
      ...lastSections,
    ],
  },
};
