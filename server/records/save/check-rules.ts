// Takes drafts; finds the rules of their types that they break, each with its designer's message. A rule is checked only if
// a field that it uses changes, so a new rule does not block work on existing records.
import { evaluateFormula } from "../../../contract/formula/evaluate-formula.ts";
import { say } from "../../../contract/messages.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { localDay } from "../../lib/instant.ts";
import type { RecordRule } from "../../metadata/rules/record-rule.ts";
import { computeFormulas } from "../computed/draft-formulas.ts";
import type { Work } from "../hooks.ts";
import { type Draft, isChangedField } from "./draft.ts";

/** Adds to the errors of the drafts. `later`: fields that are filled in once the record's workflow has made other records. */
export function checkRules(
  { caller }: Work,
  drafts: readonly Draft[],
  later: (draft: Draft) => ReadonlySet<string>,
): void {
  if (drafts.every(({ type }) => type.rules.length === 0)) return;
  const now = new Date();
  const moments: Readonly<Record<string, string>> = {
    "today()": localDay(now, caller.timeZone),
    "now()": now.toISOString().slice(0, 19).replace("T", " "),
  };
  for (const draft of drafts) {
    const { type, operation, errors, plan } = draft;
    if (type.rules.length === 0 || operation === "delete") continue;
    const row = { ...draft.after };
    computeFormulas(type, row, draft.before === undefined);
    const unknown = later(draft);
    for (const rule of type.rules) {
      if ([...rule.reads].some((name) => unknown.has(name) || errors[`${plan.path}.${name}`])) continue;
      if (!isJudged(rule, draft)) continue;
      if (evaluateFormula(rule.checked, (name) => moments[name] ?? row[name]) === true) continue;
      const { visible } = fieldMask(type, caller);
      const place = rule.places.find((name) => visible.has(name));
      const key = place === undefined ? plan.path : `${plan.path}.${place}`;
      const text = rule.messages?.[caller.language] ?? rule.message;
      errors[key] = [...(errors[key] ?? []), say("as_said", { text })];
    }
  }
}

function isJudged({ reads }: RecordRule, draft: Draft): boolean {
  if (draft.before === undefined) return true;
  return [...reads].some((name) => {
    const field = draft.type.field.get(name);
    return field !== undefined && isChangedField(draft, field);
  });
}
