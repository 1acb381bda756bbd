// Takes a design to be saved, and as it is stored; refuses formulas that put amounts of different currencies, or amounts and plain numbers,
// together, and those whose result is shown in another currency than it is in. What is stored just so is left alone.
import { isDeepStrictEqual } from "node:util";
import { type Amount, amountOfFormula } from "../../../contract/formula/amount-of-formula.ts";
import { parseFormula } from "../../../contract/formula/parse-formula.ts";
import { type Message, say } from "../../../contract/messages.ts";
import type { FieldDefinition } from "../../../contract/record-type.ts";
import type { Field } from "../../fields/field-type.ts";
import type { DesignFault } from "../../lib/design-fault.ts";
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

/** Whatever else was changed about it. */
const isSameResult = (one: FieldDefinition, other: FieldDefinition): boolean =>
  isDeepStrictEqual([one.type, one.settings, one.computed], [other.type, other.settings, other.computed]);

export function requireKnownAmounts(type: RecordType, design: Designed, stored?: Designed): void {
  const unitOf = (name: string): Amount | "number" | undefined => {
    const field = type.field.get(name);
    // What is looked up may be an amount in a currency that only the other record knows.
    if (field === undefined || (field.computed?.kind === "lookup" && !amountOf(field))) return undefined;
    return amountOf(field) ?? (typeOf(field).value === "number" ? "number" : undefined);
  };
  const faults = (design.fields ?? []).flatMap((definition): DesignFault[] => {
    const { name, computed } = definition;
    if (computed?.kind !== "formula" || stored?.fields?.some((one) => isSameResult(one, definition))) return [];
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
