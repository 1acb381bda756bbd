// An amount in the currency that its record names, or the organization's.
import { IconCash } from "@tabler/icons-react";
import { places } from "./design/field-design.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType, StoredProps } from "./field-type.ts";
import { useFormats } from "./formats.ts";
import { moneyParts } from "./showing/money-text.ts";
import { numbers } from "./showing/numbers.ts";
import { useOwnCurrency } from "./showing/use-own-currency.ts";

const PLACES = 2;

function Stored({ element, record, plain }: StoredProps) {
  const formats = useFormats();
  const own = useOwnCurrency();
  const named = element.currency_field ? record[`__${element.currency_field}`] : undefined;
  const currency = typeof named === "string" && named !== "" ? named : own;
  return <>{formats.money(plain, currency, element.scale ?? PLACES)}</>;
}

export const money: FieldType = {
  ...numbers,
  Input: fieldPart(async () => (await import("./inputs/text-inputs.tsx")).NumberInput),
  text: ({ value, currency, byCurrency }, { scale }, { formats }) =>
    byCurrency ? moneyParts(byCurrency, formats) : formats.money(value, currency, scale ?? PLACES),
  Stored,
  width: 140,
  hasCurrency: true,
  total: (text, { scale }, formats, currency) => formats.money(text, currency, scale ?? PLACES),
  design: {
    icon: IconCash,
    settings: [places(2, 4), { name: "currencyField", kind: "currency-field" }],
    startsWith: true,
  },
};
