// The list views of companies and people that a new organization starts with. Data only.
import { chart, everyday, type StandardView, table, withStage } from "./view-definition.ts";

const companyColumns = withStage([
  "name",
  "type_id",
  "industry",
  "rating",
  "annual_revenue",
  "employees",
  "country_id",
  "phone",
  "website",
  "customer_since",
  "owned_by",
  "created",
]);

export const companyViews: readonly StandardView[] = [
  ...everyday("companies", "companies", companyColumns, { widths: { name: "240" } }),
  {
    name: "Customers",
    category: "Lists",
    helper: "table",
    query: table("companies", companyColumns, {
      where: { customer_since: { op: "is not null" } },
      order: ["customer_since DESC"],
      totals: ["annual_revenue"],
    }),
  },
  {
    name: "Board by rating",
    category: "Boards",
    helper: "kanban",
    query: {
      ...table("companies", withStage(["name", "rating", "industry", "annual_revenue", "owned_by"]), {
        order: ["name ASC"],
        limit: 200,
      }),
      chart: { lanes: "companies.rating", value: "companies.annual_revenue" },
    },
  },
  {
    name: "On the map",
    category: "Charts",
    helper: "geo",
    query: {
      ...table("companies", withStage(["name", "location", "industry", "country_id"]), {
        where: { location: { op: "is not null" } },
        order: ["name ASC"],
        limit: 1000,
      }),
      chart: { point: "companies.location", label: "companies.name" },
    },
  },
  {
    name: "By country",
    category: "Charts",
    helper: "geo",
    pinned: 10,
    query: chart("companies", ["country_id"], ["count(id) as Companies", "sum(annual_revenue) as Revenue"], {
      order: ["Companies DESC"],
      chart: { region: "companies.country_id", value: "Companies" },
    }),
  },
  {
    name: "By industry",
    category: "Charts",
    helper: "bar",
    query: chart("companies", ["industry"], ["count(id) as Companies"], {
      order: ["Companies DESC"],
      chart: { category: "companies.industry", value: "Companies" },
    }),
  },
];

const personColumns = withStage([
  "name",
  "company_id",
  "job_title",
  "department",
  "email",
  "phone",
  "mobile",
  "rating",
  "country_id",
  "last_contacted",
  "owned_by",
  "created",
]);

export const personViews: readonly StandardView[] = [
  ...everyday("peoples", "people", personColumns, { widths: { name: "220", company_id: "200" } }),
  {
    name: "No company",
    category: "Lists",
    helper: "table",
    query: table("peoples", personColumns, { where: { company_id: null } }),
  },
  {
    name: "Birthdays",
    category: "Boards",
    helper: "calendar",
    query: {
      ...table("peoples", withStage(["name", "birthday", "company_id", "phone"]), {
        where: { birthday: { op: "is not null" } },
        order: ["birthday ASC"],
        limit: 1000,
      }),
      chart: { date: "peoples.birthday", repeats: "year" },
    },
  },
  {
    name: "By department",
    category: "Charts",
    helper: "pie",
    query: chart("peoples", ["department"], ["count(id) as People"], {
      order: ["People DESC"],
      chart: { category: "peoples.department", value: "People" },
    }),
  },
  {
    name: "New people by quarter",
    category: "Charts",
    helper: "bar",
    query: chart("peoples", ["quarter(created)"], ["count(id) as People"], {
      order: ["quarter(peoples.created) ASC"],
      chart: { category: "quarter(peoples.created)", value: "People" },
    }),
  },
];
