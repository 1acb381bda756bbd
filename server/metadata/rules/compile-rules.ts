// Takes all record types with their computed fields; gives each its rules, or refuses the type with the place. A rule looks at the
// record alone: at its own fields, and at formulas of these.
import { checkFormula, type ValueKind } from "../../../contract/formula/check-formula.ts";
import { parseFormula } from "../../../contract/formula/parse-formula.ts";
import { type Message, say } from "../../../contract/messages.ts";
import { fieldTypes } from "../../fields/index.ts";
import type { DesignFault } from "../../lib/design-fault.ts";
import type { Lookup } from "../computed/shape.ts";
import { definitionRefused } from "../definition-refusal.ts";
import type { RecordType, RecordTypeKey, RuleDefinition } from "../record-type.ts";
import type { RecordRule } from "./record-rule.ts";

/** Replaces the types that have rules by themselves with their rules. */
export function compileRules(types: Map<RecordTypeKey, RecordType>, lookup: Lookup): void {
  for (const type of [...types.values()]) {
    const defined = lookup(type.key)?.rules ?? [];
    if (defined.length === 0) continue;
    const faults: DesignFault[] = [];
    const names = new Set<string>();
    const rules = defined.flatMap((rule) => {
      const refuse = (part: string, wrong: Message) => faults.push({ at: `rules.${rule.name}${part}`, wrong });
      if (names.has(rule.name)) refuse(".name", say("name_taken"));
      names.add(rule.name);
      return compileRule(type, rule, refuse) ?? [];
    });
    if (faults.length > 0) throw definitionRefused(faults, type.key);
    types.set(type.key, Object.freeze({ ...type, rules }));
  }
}

const moments: Readonly<Record<string, ValueKind>> = { "today()": "date", "now()": "instant" };

/** What a field is to a rule: one that stands in no formula is there or not, as its text is. */
function kindOf(type: RecordType, name: string): ValueKind | Message | null | undefined {
  if (Object.hasOwn(moments, name)) return moments[name];
  const field = type.field.get(name);
  if (!field || (field.system && field.computed === undefined)) return undefined;
  const computation = type.computed.get(name);
  // What depends on other records is not known before the record is written.
  if (computation && (computation.kind !== "formula" || computation.crosses.length > 0))
    return say("rule_of_others", { name });
  return fieldTypes[field.type].value ?? (type.columns.get(name)?.length === 1 ? "text" : null);
}

function compileRule(
  type: RecordType,
  rule: RuleDefinition,
  refuse: (part: string, wrong: Message) => void,
): RecordRule | undefined {
  const parsed = parseFormula(rule.formula);
  if (!parsed.ok) {
    refuse(".formula", parsed.error);
    return undefined;
  }
  const result = checkFormula(parsed.formula, (name) => kindOf(type, name), "truth");
  if (!result.ok) {
    refuse(".formula", result.error);
    return undefined;
  }
  if (result.fields.size === 0) {
    refuse(".formula", say("rule_of_nothing"));
    return undefined;
  }
  if (rule.field !== undefined && !type.field.has(rule.field)) {
    refuse(".field", say("missing_field", { name: rule.field }));
    return undefined;
  }
  const reads = new Set(result.fields);
  for (const name of result.fields) {
    for (const source of type.computed.get(name)?.reads ?? []) reads.add(source.field);
  }
  const places = [...new Set([...(rule.field === undefined ? [] : [rule.field]), ...result.fields])];
  return Object.freeze({ ...rule, checked: result.checked, places, reads });
}
