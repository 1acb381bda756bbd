// Takes the rules that are said at a field and the values on the screen; gives what the rules of the whole record say about them. A first
// look, as for single values: the service has the last word.
import type { FieldRule } from "../../../../client/records/records.ts";
import type { ValueOf } from "../../../../contract/conditions.ts";
import type { Checked } from "../../../../contract/formula/check-formula.ts";
import { evaluateFormula } from "../../../../contract/formula/evaluate-formula.ts";
import { clockAt } from "../../../../contract/zones.ts";
import type { Changes } from "./use-draft.ts";

const momentsIn = (timeZone: string): Readonly<Record<string, string>> => {
  const now = new Date();
  return { "today()": clockAt(now, timeZone).slice(0, 10), "now()": now.toISOString().slice(0, 19).replace("T", " ") };
};

/** Only where somebody changed one of the fields, as the service does. */
export function checkRecord(
  rules: readonly FieldRule[],
  changes: Changes,
  typed: ValueOf,
  timeZone: string,
): readonly string[] {
  return rules.flatMap(({ checked, message }) => {
    if (checked === undefined) return [];
    if (![...fieldsOf(checked)].some((name) => Object.hasOwn(changes, name))) return [];
    const now = momentsIn(timeZone);
    return evaluateFormula(checked, (name) => now[name] ?? typed(name)) === true ? [] : [message];
  });
}

/** The fields that a formula names. */
function fieldsOf(formula: Checked): ReadonlySet<string> {
  switch (formula.node) {
    case "field":
      return new Set([formula.name]);
    case "value":
      return new Set();
    case "call":
      return new Set(formula.of.flatMap((one) => [...fieldsOf(one)]));
    case "not":
    case "empty":
      return fieldsOf(formula.of);
    case "in":
      return new Set([formula.of, ...formula.values].flatMap((one) => [...fieldsOf(one)]));
    default:
      return new Set([...fieldsOf(formula.left), ...fieldsOf(formula.right)]);
  }
}
