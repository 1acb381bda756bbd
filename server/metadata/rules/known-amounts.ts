// Takes a design to be saved, and as it is stored; refuses formulas that put amounts of different currencies, or amounts and plain numbers,
// together, and those whose result is shown in another currency than it is in. What is stored just so is left alone.
import { type Amount, amountOfFormula, unitOfField } from "../../../contract/formula/amount-of-formula.ts";
import { parseFormula } from "../../../contract/formula/parse-formula.ts";
import { isSameResult } from "../../../contract/formula/same-formula.ts";
import { type Message, say } from "../../../contract/messages.ts";
import type { FieldDefinition } from "../../../contract/record-type.ts";
import type { Field } from "../../fields/field-type.ts";
import type { DesignFault } from "../../lib/design-fault.ts";
import type { Renames } from "../changes/rename-fields.ts";
import { typeOf } from "../compile.ts";
import { definitionRefused } from "../definition-refusal.ts";
import type { RecordType } from "../record-type.ts";

interface Designed {
  readonly fields?: readonly FieldDefinition[] | undefined;
}

/** What a field's values are amounts in; undefined where they are none. */
const amountOf = (field: Field): Amount | undefined => {
  const { currencyField } = typeOf(field);
  return currencyField && { currency: currencyField(field) ?? null };
};

/** `renames`: what is stored calls its fields by their old names. */
export function requireKnownAmounts(type: RecordType, design: Designed, stored?: Designed, renames?: Renames): void {
  const unitOf = (name: string): Amount | "number" | undefined => {
    const field = type.field.get(name);
    if (field === undefined) return undefined;
    const isLookup = field.computed?.kind === "lookup";
    return unitOfField({ amount: amountOf(field), isNumber: typeOf(field).value === "number", isLookup });
  };
  const faults = (design.fields ?? []).flatMap((definition): DesignFault[] => {
    const { name, computed } = definition;
    if (computed?.kind !== "formula" || stored?.fields?.some((one) => isSameResult(one, definition, renames)))
      return [];
    const parsed = parseFormula(computed.formula);
    const [field, found] = [type.field.get(name), parsed.ok ? amountOfFormula(parsed.formula, unitOf) : undefined];
    if (!field || !found) return [];
    const wrong = found.ok ? resultFault(type, found.amount, amountOf(field)) : found.error;
    return wrong ? [{ at: `fields.${name}.computed.formula`, wrong }] : [];
  });
  if (faults.length > 0) throw definitionRefused(faults, type.key);
}

/** A plain number may be made of anything, and a plain number be called an amount. */
function resultFault(type: RecordType, given: Amount | undefined, shown: Amount | undefined): Message | undefined {
  if (!given || !shown || given.currency === shown.currency) return undefined;
  if (given.currency === null) return say("amount_in_own_currency");
  return say("amount_in_currency_of", { field: type.field.get(given.currency)?.label ?? given.currency });
}
