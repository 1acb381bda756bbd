// The list views of opportunities that a new organization starts with. Data only.
import { chart, everyday, type StandardView, table, withStage } from "./view-definition.ts";

const columns = withStage([
  "name",
  "company_id",
  "stage",
  "amount",
  "currency_id",
  "probability",
  "expected_close",
  "forecast",
  "person_id",
  "next_step",
  "next_step_date",
  "owned_by",
  "created",
]);
const open = { stage: ["qualification", "needs_analysis", "proposal", "negotiation"] };

export const opportunityViews: readonly StandardView[] = [
  ...everyday("opportunities", "opportunities", columns, {
    totals: ["amount"],
    widths: { name: "240", company_id: "200" },
  }),
  {
    name: "Open opportunities",
    category: "Lists",
    helper: "table",
    query: table("opportunities", columns, { where: open, order: ["expected_close ASC"], totals: ["amount"] }),
  },
  {
    name: "Closing this month",
    category: "Lists",
    helper: "table",
    pinned: 9,
    query: table("opportunities", columns, {
      where: { ...open, expected_close: { op: "between", value: ["{{TODAY}}", "{{TODAY}}+1M"] } },
      order: ["expected_close ASC"],
      totals: ["amount"],
    }),
    description: "Open opportunities expected to close within a month",
  },
  {
    name: "Board by stage",
    category: "Boards",
    helper: "kanban",
    query: {
      ...table("opportunities", withStage(["name", "company_id", "amount", "expected_close", "owned_by"]), {
        order: ["expected_close ASC"],
        limit: 200,
      }),
      chart: { lanes: "opportunities.current_stage", value: "opportunities.amount" },
    },
  },
  {
    name: "Expected closings",
    category: "Boards",
    helper: "calendar",
    query: {
      ...table("opportunities", withStage(["name", "expected_close", "stage", "company_id", "amount"]), {
        where: { ...open, expected_close: { op: "is not null" } },
        order: ["expected_close ASC"],
        limit: 500,
      }),
      chart: { date: "opportunities.expected_close", color: "opportunities.stage" },
    },
  },
  {
    name: "By stage",
    category: "Charts",
    helper: "bar",
    query: chart("opportunities", ["stage"], ["sum(amount) as Amount", "count(id) as Opportunities"], {
      chart: { category: "opportunities.stage", value: "Amount" },
    }),
  },
  {
    name: "Pipeline",
    category: "Charts",
    helper: "funnel",
    pinned: 8,
    query: chart("opportunities", ["stage"], ["count(id) as Opportunities", "sum(amount) as Amount"], {
      where: open,
      chart: { category: "opportunities.stage", value: "Opportunities" },
    }),
  },
  {
    name: "Open amount",
    category: "Charts",
    helper: "number",
    pinned: 1,
    query: chart("opportunities", [], ["sum(amount) as Amount", "count(id) as Opportunities"], {
      where: open,
      chart: { value: "Amount" },
    }),
  },
  {
    name: "Won by month",
    category: "Charts",
    helper: "line",
    pinned: 7,
    query: chart("opportunities", ["month(closed)"], ["sum(amount) as Amount", "count(id) as Opportunities"], {
      where: { stage: "won", closed: { op: "is not null" } },
      order: ["month(opportunities.closed) ASC"],
      chart: { category: "month(opportunities.closed)", value: "Amount" },
    }),
  },
  {
    name: "Why we lose",
    category: "Charts",
    helper: "pie",
    query: chart("opportunities", ["lost_reason"], ["count(id) as Opportunities"], {
      where: { stage: "lost" },
      order: ["Opportunities DESC"],
      chart: { category: "opportunities.lost_reason", value: "Opportunities", date: "opportunities.closed" },
    }),
  },
  {
    name: "Average probability",
    category: "Charts",
    helper: "gauge",
    pinned: 11,
    query: chart("opportunities", [], ["avg(probability) as Probability"], {
      where: open,
      chart: { value: "Probability", min: "0", max: "100", unit: "%" },
    }),
  },
  {
    name: "By owner",
    category: "Charts",
    helper: "bar",
    query: chart("opportunities", ["owned_by"], ["sum(amount) as Amount", "count(id) as Opportunities"], {
      where: open,
      order: ["Amount DESC"],
      limit: 20,
      chart: { category: "opportunities.owned_by", value: "Amount" },
    }),
  },
  {
    name: "Won amount",
    category: "Charts",
    helper: "number",
    pinned: 3,
    query: chart("opportunities", [], ["sum(amount) as Amount", "count(id) as Opportunities"], {
      where: { stage: "won" },
      chart: { value: "Amount", date: "opportunities.closed" },
    }),
    description: "Won this month, compared with the same days of last month",
  },
  {
    name: "New opportunities",
    category: "Charts",
    helper: "number",
    pinned: 4,
    query: chart("opportunities", [], ["count(id) as Opportunities", "sum(amount) as Amount"], {
      chart: { value: "Opportunities", date: "opportunities.created" },
    }),
    description: "Created this month, compared with the same days of last month",
  },
];
