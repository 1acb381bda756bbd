// An amount in the currency that its record names, or the organization's.
import { IconCash } from "@tabler/icons-react";
import { limits, places } from "./design/field-design.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { moneyParts, PLACES } from "./showing/money-text.ts";
import { numbers } from "./showing/numbers.ts";

export const money: FieldType = {
  ...numbers,
  Input: fieldPart(async () => (await import("./parts.ts")).AmountInput),
  text: ({ value, currency, byCurrency }, { scale }, { formats }) =>
    byCurrency ? moneyParts(byCurrency, formats) : formats.money(value, currency, scale ?? PLACES),
  Stored: fieldPart(async () => (await import("./parts.ts")).StoredAmount),
  width: 140,
  hasCurrency: true,
  total: (text, { scale }, formats, currency) => formats.money(text, currency, scale ?? PLACES),
  design: {
    icon: IconCash,
    settings: [places(PLACES, 4), { name: "currencyField", kind: "currency-field" }, ...limits],
    startsWith: true,
  },
};
