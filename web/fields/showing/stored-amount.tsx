// An amount on the page of its record, in the currency that the record names, or the organization's.
import type { StoredProps } from "../field-type.ts";
import { useFormats } from "../formats.ts";
import { PLACES } from "./money-text.ts";
import { useOwnCurrency } from "./use-own-currency.ts";

export function StoredAmount({ element, record, plain }: StoredProps) {
  const formats = useFormats();
  const own = useOwnCurrency();
  const named = element.currency_field ? record[`__${element.currency_field}`] : undefined;
  const currency = typeof named === "string" && named !== "" ? named : own;
  return <>{formats.money(plain, currency, element.scale ?? PLACES)}</>;
}
