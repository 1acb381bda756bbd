// The list view that the benchmark asks for: thirty columns of leads, and the columns behind them.
export const VIEW_ID = "0190b0b0-0000-7000-8000-000000000001";

const names = (
  "name business_key salutation first_name last_name company_name job_title department status source campaign rating score " +
  "industry annual_revenue amount employees website email phone mobile city location do_not_call do_not_email " +
  "last_contacted next_follow_up description created owned_by"
).split(" ");

/** What a program that shows the same list selects. */
export const shownColumns = [
  "id",
  "acl_id",
  ...names.flatMap((name) => (name === "location" ? [name, "location_lon"] : [name])),
];

export const benchView = {
  id: VIEW_ID,
  name: "Benchmark",
  controller: "crm/leads",
  sequence: "1",
  is_default: "0",
  is_personal: "0",
  ui_helper: "table",
  query: JSON.stringify({
    method: "find",
    fields: names.map((name) => `leads.${name}`),
    order: ["leads.created DESC"],
    limit: 50,
  }),
};
