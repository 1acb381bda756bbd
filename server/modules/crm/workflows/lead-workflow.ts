// Leads from the first contact until they are converted into a person, a company and an opportunity, or given up.
import type { ActorName, WorkflowDefinition } from "../../../../contract/workflow.ts";

/** Who moves what a sales person works on. */
export const salesPeople: readonly ActorName[] = ["owner", "owner_manager", "role:sales_manager", "role:administrator"];

export const leadWorkflow: WorkflowDefinition = {
  stage_field: "status",
  stages: [
    {
      key: "new",
      name: "New",
      kind: "start",
      value: "new",
      color: "blue",
      actors: ["owner"],
    },
    {
      key: "contacted",
      name: "Contacted",
      value: "contacted",
      color: "cyan",
      actors: ["owner"],
    },
    {
      key: "qualified",
      name: "Qualified",
      value: "qualified",
      color: "teal",
      actors: ["owner"],
    },
    {
      key: "converted",
      name: "Converted",
      kind: "end",
      value: "converted",
      color: "green",
      enter: [{ set: { converted: "now()" } }],
    },
    { key: "lost", name: "Lost", kind: "end", value: "unqualified", color: "gray" },
  ],
  transitions: [
    {
      name: "contact",
      label: "Mark as contacted",
      from: ["new", "qualified"],
      to: "contacted",
      by: salesPeople,
      effects: [{ set: { last_contacted: "now()" } }],
    },
    { name: "reopen", label: "Move back to new", from: ["contacted", "qualified"], to: "new", by: salesPeople },
    { name: "qualify", label: "Qualify", from: ["new", "contacted"], to: "qualified", by: salesPeople },
    {
      name: "convert",
      label: "Convert",
      from: "qualified",
      to: "converted",
      by: salesPeople,
      required: ["company_name"],
      undo: true,
      effects: [
        {
          create: "crm/companies",
          as: "company",
          offer: ["existing"],
          values: {
            name: "company_name",
            industry: "industry",
            annual_revenue: "annual_revenue",
            currency_id: "currency_id",
            employees: "employees",
            website: "website",
            country_id: "country_id",
            source: "source",
            customer_since: "today()",
          },
        },
        {
          create: "crm/peoples",
          as: "person",
          offer: ["existing"],
          values: {
            salutation: "salutation",
            first_name: "first_name",
            last_name: "last_name",
            company_id: "new.company",
            job_title: "job_title",
            department: "department",
            source: "source",
            rating: "rating",
            score: "score",
            email: "email",
            phone: "phone",
            mobile: "mobile",
            country_id: "country_id",
            referred_by_id: "referred_by_id",
            last_contacted: "last_contacted",
          },
        },
        {
          create: "crm/opportunities",
          as: "opportunity",
          offer: ["skip"],
          values: {
            name: 'company_name & ": " & coalesce(campaign, "first order")',
            company_id: "new.company",
            person_id: "new.person",
            amount: "amount",
            currency_id: "currency_id",
            expected_close: "today(90)",
            source: "source",
            campaign: "campaign",
            score: "score",
          },
        },
        {
          set: {
            converted_company_id: "new.company",
            converted_person_id: "new.person",
            converted_opportunity_id: "new.opportunity",
          },
        },
      ],
    },
    {
      name: "give_up",
      label: "Disqualify",
      from: ["new", "contacted", "qualified"],
      to: "lost",
      by: salesPeople,
      required: ["lost_reason"],
    },
  ],
};
