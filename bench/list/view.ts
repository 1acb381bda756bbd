// The list view of the benchmark: thirty columns of leads.
export const VIEW_ID = "0190b0b0-0000-7000-8000-000000000001";

const fields = (
  "name business_key salutation first_name last_name company_name job_title department status source campaign rating score " +
  "industry annual_revenue amount employees website email phone mobile city location do_not_call do_not_email " +
  "last_contacted next_follow_up description created owned_by"
)
  .split(" ")
  .map((name) => `leads.${name}`);

export const benchView = {
  id: VIEW_ID,
  name: "Benchmark",
  controller: "crm/leads",
  sequence: "1",
  is_default: "0",
  is_personal: "0",
  ui_helper: "table",
  query: JSON.stringify({ method: "find", fields, order: ["leads.created DESC"], limit: 50 }),
};
