// Takes a column; gives where the currency of its amounts stands: in a field of the same record, or in the organization.
// Where the caller may not see that field, nobody tells it the currency, and nothing is added up for it.
import { fieldPermission } from "../access/field-mask.ts";
import { mayOperate } from "../access/matrix.ts";
import { referencedBy } from "../metadata/associations.ts";
import { typeOf } from "../metadata/compile.ts";
import type { ColumnRef, Scope } from "./column.ts";

export const CURRENCIES = "masters/currencies";
export const EXCHANGE_RATES = "masters/exchange_rates";

export type CurrencySource =
  | { readonly kind: "organization" }
  /** While it is empty, the organization's. */
  | { readonly kind: "field"; readonly ref: ColumnRef }
  | { readonly kind: "hidden" };

/** Undefined where the column holds no money. */
export function currencySource({ caller }: Pick<Scope, "caller">, ref: ColumnRef): CurrencySource | undefined {
  const { type, field, steps } = ref;
  const { currencyField } = typeOf(field);
  if (!currencyField || ref.part !== undefined) return undefined;
  const currency = type.field.get(currencyField(field) ?? "");
  if (!currency || referencedBy(type, currency) !== CURRENCIES) return { kind: "organization" };
  // Of records that the caller may not list, what is shown elsewhere is all that is told.
  const open = steps.length === 0 || mayOperate(caller, type, "index") || mayOperate(caller, type, "view");
  if (!open || fieldPermission(type, currency.name, caller, "view") === 1) return { kind: "hidden" };
  const name = `${ref.name.slice(0, ref.name.lastIndexOf("."))}.${currency.name}`;
  return { kind: "field", ref: { steps, type, field: currency, name } };
}

/** The row's keys beside an amount: the code of its currency, and of a sum what it is made of. */
export const currencyKey = (key: string): string => `${key}.currency`;
export const byCurrencyKey = (key: string): string => `${key}.by_currency`;
