// The form of quotes: what is offered to whom until when, at which price, and who approved it.
import { fields, lastSections, type StandardForm } from "./form-sections.ts";

export const quoteForm: StandardForm = {
  controller: "crm/quotes",
  name: "Quote",
  definition: {
    sections: [
      {
        section: "Details",
        columns: 2,
        elements: fields(
          "name",
          "opportunity_id",
          "company_id",
          "valid_until",
          "type_id",
          "sub_type_id",
          "description",
        ),
      },
      { section: "Price", columns: 2, elements: fields("amount", "currency_id", "discount", "net_amount") },
      {
        section: "Approval",
        help: "Filled in when the discount is approved",
        columns: 2,
        elements: fields("approved_by_id", "approved"),
      },
      ...lastSections,
    ],
  },
};
