// The English texts of amounts in several currencies.

export const money = {
  converted: "Converted at exchange rates of {{date}}",
  no_rate: "An exchange rate is missing, so amounts are shown by currency",
  not_comparable: "Amounts are in different currencies and can't be compared in a chart",
  mixed: "Amounts in different currencies are sorted and filtered by number only",
  import_rates: "Import rates",
  import_failed: "Couldn't import exchange rates",
};
