// What one unit of a currency is worth in another, by day. Amounts in several currencies are added up by the newest ones.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const exchangeRates: RecordTypeDefinition = {
  module: "masters",
  controller: "exchange_rates",
  label: "Exchange rate",
  plural: "Exchange rates",
  icon: "coin",
  displayField: "date",
  fields: [
    { name: "date", type: "date", required: true, indexed: true, help: "The rate applies from this day on" },
    {
      name: "base_id",
      label: "From currency",
      type: "reference",
      required: true,
      settings: { to: "masters/currencies" },
    },
    {
      name: "currency_id",
      label: "To currency",
      type: "reference",
      required: true,
      settings: { to: "masters/currencies" },
      help: "A different currency than the one above",
    },
    {
      name: "rate",
      type: "decimal",
      required: true,
      settings: { precision: 18, scale: 6 },
      help: "How much of the second currency one unit of the first currency buys",
    },
    { name: "source", type: "short-text", searchable: true, settings: { maxLength: 100 } },
  ],
  access: { read: ["organization"], edit: ["role:administrator"], delete: ["role:administrator"], comment: [] },
  unique: [["base_id", "currency_id", "date"]],
};
