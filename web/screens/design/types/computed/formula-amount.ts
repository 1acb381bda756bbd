// Takes a formula as it is typed, the fields beside it, and the type and settings of its result; gives what is wrong about its amounts, or the
// money that its result should be shown as. Pure.
import { amountOfFormula, type UnitOf, unitOfField } from "../../../../../contract/formula/amount-of-formula.ts";
import { parseFormula } from "../../../../../contract/formula/parse-formula.ts";
import type { Message } from "../../../../../contract/messages.ts";
import { fieldTypes } from "../../../../fields/index.ts";
import type { DraftField, FieldChanges } from "../type-draft.ts";

export interface FormulaAmount {
  readonly fault?: Message;
  /** `label`: of the field that its currency stands in; undefined where that is the organization's. */
  readonly proposal?: { readonly label: string | undefined; readonly changes: FieldChanges };
}

type Typed = Pick<DraftField, "name" | "label" | "type" | "settings" | "computed">;

const currencyOf = ({ settings }: Typed): string | null =>
  typeof settings?.currencyField === "string" ? settings.currencyField : null;

export function formulaAmount(
  source: string,
  fields: readonly Typed[],
  result: Typed,
  money: DraftField["type"] | undefined,
): FormulaAmount {
  const unitOf: UnitOf = (name) => {
    const field = fields.find((one) => one.name === name);
    if (!field) return undefined;
    const { hasCurrency, isNumeric } = fieldTypes[field.type];
    return unitOfField({
      amount: hasCurrency ? { currency: currencyOf(field) } : undefined,
      isNumber: isNumeric === true,
      isLookup: field.computed?.kind === "lookup",
    });
  };
  const parsed = parseFormula(source);
  if (!parsed.ok) return {};
  const found = amountOfFormula(parsed.formula, unitOf);
  if (!found.ok) return { fault: found.error };
  const isMoney = fieldTypes[result.type].hasCurrency === true;
  if (!found.amount || money === undefined || (isMoney && currencyOf(result) === found.amount.currency)) return {};
  const { currency } = found.amount;
  const { currencyField: _, ...kept } = (isMoney ? result.settings : undefined) ?? {};
  const settings = { ...kept, ...(currency === null ? {} : { currencyField: currency }) };
  const named = fields.find(({ name }) => name === currency);
  const label = currency === null ? undefined : (named?.label ?? currency);
  return { proposal: { label, changes: { type: isMoney ? result.type : money, settings } } };
}
