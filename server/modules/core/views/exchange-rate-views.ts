// The list views of exchange rates that a new organization starts with. Data only.
import { type StandardView, table } from "./view-definition.ts";

const columns = ["date", "base_id", "currency_id", "rate", "source", "modified"];

export const exchangeRateViews: readonly StandardView[] = [
  {
    name: "All exchange rates",
    category: "Lists",
    helper: "table",
    isDefault: true,
    query: table("exchange_rates", columns, { order: ["date DESC"] }),
  },
  {
    name: "Last 30 days",
    category: "Lists",
    helper: "table",
    query: table("exchange_rates", columns, {
      where: { date: { op: ">=", value: "{{TODAY}}-30d" } },
      order: ["date DESC"],
    }),
  },
  {
    name: "Recycle Bin",
    category: "Bin",
    helper: "table",
    query: table("exchange_rates", [...columns, "modified_by"], { where: { deleted: "1" }, order: ["modified DESC"] }),
    description: "Deleted records that can be restored",
  },
];
