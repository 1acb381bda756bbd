// The list views of leads that a new organization starts with. Data only.
import { chart, everyday, type StandardView, table, withStage } from "./view-definition.ts";

const columns = withStage([
  "name",
  "company_name",
  "status",
  "rating",
  "score",
  "amount",
  "source",
  "email",
  "phone",
  "city",
  "country_id",
  "next_follow_up",
  "owned_by",
  "created",
]);
const open = { status: ["new", "contacted", "qualified"] };

export const leadViews: readonly StandardView[] = [
  ...everyday("leads", "leads", columns, { widths: { name: "220", company_name: "200" } }),
  {
    name: "Hot leads",
    category: "Lists",
    helper: "table",
    query: table("leads", columns, { where: { ...open, rating: "hot" }, order: ["score DESC"], totals: ["amount"] }),
    description: "Open leads rated hot, highest score first",
  },
  {
    name: "To follow up",
    category: "Lists",
    helper: "table",
    query: table(
      "leads",
      withStage(["name", "company_name", "next_follow_up", "status", "phone", "email", "owned_by"]),
      {
        where: { ...open, next_follow_up: { op: "<=", value: "{{TODAY}}+7d" } },
        order: ["next_follow_up ASC"],
      },
    ),
    description: "Open leads with a follow-up due within a week",
  },
  {
    name: "Board by stage",
    category: "Boards",
    helper: "kanban",
    query: {
      ...table("leads", withStage(["name", "status", "company_name", "amount", "rating", "owned_by"]), {
        order: ["score DESC"],
        limit: 200,
      }),
      chart: { lanes: "leads.current_stage", value: "leads.amount" },
    },
  },
  {
    name: "Follow-ups",
    category: "Boards",
    helper: "calendar",
    query: {
      ...table("leads", withStage(["name", "next_follow_up", "status", "company_name", "owned_by"]), {
        where: { ...open, rating: "hot", next_follow_up: { op: "is not null" } },
        order: ["next_follow_up ASC"],
        limit: 500,
      }),
      chart: { date: "leads.next_follow_up", color: "leads.status" },
    },
    description: "Open hot leads",
  },
  {
    name: "By status",
    category: "Charts",
    helper: "bar",
    query: chart("leads", ["status"], ["count(id) as Leads", "sum(amount) as Amount"], {
      chart: { category: "leads.status", value: "Leads" },
    }),
  },
  {
    name: "New leads by month",
    category: "Charts",
    helper: "line",
    pinned: 5,
    query: chart("leads", ["month(created)"], ["count(id) as Leads"], {
      order: ["month(leads.created) ASC"],
      chart: { category: "month(leads.created)", value: "Leads" },
    }),
  },
  {
    name: "By source",
    category: "Charts",
    helper: "pie",
    pinned: 6,
    query: chart("leads", ["source"], ["count(id) as Leads"], {
      order: ["Leads DESC"],
      chart: { category: "leads.source", value: "Leads", date: "leads.created" },
    }),
  },
  {
    name: "Average score",
    category: "Charts",
    helper: "gauge",
    query: chart("leads", [], ["avg(score) as Score"], {
      where: open,
      chart: { value: "Score", min: "0", max: "100" },
    }),
    description: "Open leads",
  },
  {
    name: "By country",
    category: "Charts",
    helper: "geo",
    query: chart("leads", ["country_id"], ["count(id) as Leads"], {
      order: ["Leads DESC"],
      chart: { region: "leads.country_id", value: "Leads" },
    }),
  },
  {
    name: "New leads",
    category: "Charts",
    helper: "number",
    pinned: 2,
    query: chart("leads", [], ["count(id) as Leads"], { chart: { value: "Leads", date: "leads.created" } }),
    description: "Created this month, compared with the same days of last month",
  },
];
