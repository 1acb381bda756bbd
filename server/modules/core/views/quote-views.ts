// The list views of quotes that a new organization starts with. Data only.
import { everyday, type StandardView, table, withStage } from "./view-definition.ts";

const columns = withStage([
  "name",
  "opportunity_id",
  "company_id",
  "amount",
  "currency_id",
  "discount",
  "net_amount",
  "valid_until",
  "approved_by_id",
  "created",
]);

export const quoteViews: readonly StandardView[] = [
  ...everyday("quotes", "quotes", columns, { widths: { name: "240" } }),
  {
    name: "Waiting for approval",
    category: "Lists",
    helper: "table",
    query: table("quotes", columns, {
      where: { current_workflow_actors: { op: "is not null" }, approved: null },
      order: ["created ASC"],
    }),
    description: "Quotes waiting for a decision, oldest first",
  },
];
