// The form of opportunities: what is sold to whom and how far it is, what it is worth, what to do next, and how it ended.
import { fields, lastSections, type StandardForm } from "./form-sections.ts";

export const opportunityForm: StandardForm = {
  controller: "crm/opportunities",
  name: "Opportunity",
  definition: {
    sections: [
      {
        section: "Details",
        columns: 2,
        elements: fields("name", "company_id", "person_id", "stage", "expected_close", "probability", "description"),
      },
      { section: "Value", columns: 2, elements: fields("amount", "currency_id", "forecast", "score") },
      {
        section: "Next step",
        columns: 2,
        elements: fields("next_step", "next_step_date", "last_contacted", "competitor"),
      },
      { section: "Background", columns: 2, elements: fields("type_id", "sub_type_id", "source", "campaign", "tags") },
      {
        section: "Outcome",
        help: "Filled in when the opportunity is closed",
        columns: 2,
        elements: fields("closed", "lost_reason"),
      },
      ...lastSections,
    ],
  },
};
