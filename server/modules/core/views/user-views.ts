// The list views of users that a new organization starts with. Data only.
import { chart, everyday, type StandardView, table } from "./view-definition.ts";

const columns = ["name", "user_name", "title", "manager_id", "is_active", "time_zone", "last_login", "created"];

/** Users own themselves: who is mine are those who report to me, and my groups' are those who share one with me. */
export const userViews: readonly StandardView[] = [
  ...everyday("users", "users", columns, { widths: { name: "220" } }).map((view) =>
    view.name === "My users"
      ? {
          ...view,
          name: "My direct reports",
          query: table("users", columns, { where: { manager_id: "{{CURRENT_USER}}" }, order: ["name ASC"] }),
        }
      : view.name === "My groups' users"
        ? {
            ...view,
            query: table("users", columns, {
              where: { "users.groups.members.user_id": "{{CURRENT_USER}}" },
              order: ["name ASC"],
            }),
            description: "Members of your groups",
          }
        : view,
  ),
  {
    name: "Active users",
    category: "Lists",
    helper: "table",
    query: table("users", columns, { where: { is_active: "1" }, order: ["name ASC"] }),
  },
  {
    name: "By manager",
    category: "Charts",
    helper: "bar",
    query: chart("users", ["manager_id"], ["count(id) as Users"], {
      order: ["Users DESC"],
      chart: { category: "users.manager_id", value: "Users" },
    }),
  },
  {
    name: "Number of users",
    category: "Charts",
    helper: "number",
    query: chart("users", [], ["count(id) as Users"], { where: { is_active: "1" }, chart: { value: "Users" } }),
  },
];
