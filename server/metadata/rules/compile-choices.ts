// Takes all record types with their computed fields; gives each what limits the choices of its references, or refuses the type with the place.
import { checkFormula, type ValueKind } from "../../../contract/formula/check-formula.ts";
import { parseFormula } from "../../../contract/formula/parse-formula.ts";
import { type Message, say } from "../../../contract/messages.ts";
import { fieldTypes } from "../../fields/index.ts";
import type { DesignFault } from "../../lib/design-fault.ts";
import type { Lookup } from "../computed/shape.ts";
import { definitionRefused } from "../definition-refusal.ts";
import type { RecordType, RecordTypeKey } from "../record-type.ts";
import { OWN, type RecordChoices } from "./record-choices.ts";

/** Replaces the types that have such references by themselves with what limits them. */
export function compileChoices(types: Map<RecordTypeKey, RecordType>, lookup: Lookup): void {
  for (const type of [...types.values()]) {
    const limited = (lookup(type.key)?.fields ?? []).filter(({ where }) => where !== undefined);
    if (limited.length === 0) continue;
    const faults: DesignFault[] = [];
    const choices = new Map<string, RecordChoices>();
    for (const { name, where = "" } of limited) {
      const tie = type.associations.find((one) => one.kind === "belongs-to" && one.via === name);
      const target = tie && "type" in tie ? types.get(tie.type) : undefined;
      const refuse = (wrong: Message) => faults.push({ at: `fields.${name}.where`, wrong });
      const compiled = target && compileOne(type, target, where, refuse);
      if (compiled) choices.set(name, compiled);
    }
    if (faults.length > 0) throw definitionRefused(faults, type.key);
    types.set(type.key, Object.freeze({ ...type, choices }));
  }
}

const moments: Readonly<Record<string, ValueKind>> = { "today()": "date", "now()": "instant", "me()": "text" };

/** Of the service alone: they say nothing that people choose by. */
const ofService = new Set(["organization_id", "deleted", "revision", "workflow_version"]);

/** What stands in no formula is there or not, as its text is. */
function kindIn(type: RecordType, name: string): ValueKind | null | undefined {
  const field = type.field.get(name);
  if (!field || ofService.has(name)) return undefined;
  return fieldTypes[field.type].value ?? (type.columns.get(name)?.length === 1 ? "text" : null);
}

function kindOf(type: RecordType, target: RecordType, name: string): ValueKind | null | undefined {
  if (Object.hasOwn(moments, name)) return moments[name];
  if (!name.startsWith(OWN)) return kindIn(target, name);
  const own = name.slice(OWN.length);
  // What is worked out is not known before the record is saved.
  return type.field.get(own)?.computed ? null : kindIn(type, own);
}

function compileOne(
  type: RecordType,
  target: RecordType,
  formula: string,
  refuse: (wrong: Message) => void,
): RecordChoices | undefined {
  const parsed = parseFormula(formula);
  if (!parsed.ok) {
    refuse(parsed.error);
    return undefined;
  }
  const result = checkFormula(parsed.formula, (name) => kindOf(type, target, name), "truth");
  if (!result.ok) {
    refuse(result.error);
    return undefined;
  }
  const names = [...result.fields].filter((name) => !Object.hasOwn(moments, name));
  const theirs = new Set(names.filter((name) => !name.startsWith(OWN)));
  const own = new Set(names.filter((name) => name.startsWith(OWN)).map((name) => name.slice(OWN.length)));
  if (theirs.size === 0) {
    refuse(say("rule_of_nothing"));
    return undefined;
  }
  return Object.freeze({ formula, checked: result.checked, target: target.key, theirs, own });
}
