// Takes a reference of another record type and the values of a record; gives which records it can name, as a filter. What depends on fields that
// the caller cannot see limits no list, so that nobody finds out about them by trying values: saving limits it all the same.
import { Failure } from "../../contract/failures.ts";
import { type Checked, literal } from "../../contract/formula/check-formula.ts";
import { say } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import { fieldMask } from "../access/field-mask.ts";
import { mayOperate, mayTakeOver } from "../access/matrix.ts";
import { instant, localDay } from "../lib/instant.ts";
import { referencedBy } from "../metadata/associations.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { OWN } from "../metadata/rules/record-choices.ts";
import { findType, type Snapshot } from "../metadata/snapshot.ts";
import type { ChoicesAsked } from "../request/list-parameters.ts";
import type { Scope } from "./column.ts";
import type { FilterPlan } from "./filter-plan.ts";

export function planChoices({ snapshot, type, caller, now }: Scope, asked: ChoicesAsked): FilterPlan | undefined {
  const owner = findType(snapshot, asked.type);
  const name = owner?.fieldAliases.get(asked.field) ?? asked.field;
  const ownMask = owner && fieldMask(owner, caller).visible;
  if (
    !owner ||
    !mayOperate(caller, owner, "view") ||
    !ownMask?.has(name) ||
    referencedBy(owner, { name }) !== type.key
  ) {
    throw new Failure("malformed_parameter", { with: { name: "choices_for", reason: say("must_be_reference") } });
  }
  const choices = owner.choices.get(name);
  if (!choices) return undefined;
  const { visible } = fieldMask(type, caller);
  if ([...choices.theirs].some((one) => !visible.has(one)) || [...choices.own].some((one) => !ownMask.has(one))) {
    return undefined;
  }
  const moments: Readonly<Record<string, string>> = {
    "today()": localDay(now, caller.timeZone),
    "now()": instant(now),
    "me()": caller.userId,
  };
  const aliased = new Map([...owner.fieldAliases].map(([alias, field]) => [field, alias]));
  const given = (field: string): string | null => {
    if (Object.hasOwn(moments, field)) return moments[field] ?? null;
    const own = field.slice(OWN.length);
    const sent = [own, aliased.get(own) ?? own].find((one) => Object.hasOwn(asked.values, one));
    return sent === undefined ? null : (asked.values[sent] ?? null);
  };
  return { kind: "formula", checked: withValues(choices.checked, given), type };
}

/** What an input needs to offer only what can be chosen; nothing where every record can. */
export function choicesTold(
  type: RecordType,
  name: string,
  caller: Caller,
): { readonly choices?: { readonly for: string; readonly by: readonly string[] } } {
  const choices = type.choices.get(name);
  const { visible } = fieldMask(type, caller);
  if (!choices || [...choices.own].some((one) => !visible.has(one))) return {};
  return { choices: { for: `${type.key}.${name}`, by: [...choices.own] } };
}

/** What an input needs to show a value that the service will take over; nothing where the caller would not get it. `tie`: what names the record around it. */
export function startTold(
  snapshot: Snapshot,
  type: RecordType,
  name: string,
  caller: Caller,
  tie?: string,
): {
  readonly starts_from?: { readonly reference: string | null; readonly controller: string; readonly field: string };
} {
  const starts = type.startsFrom.get(name);
  const target = starts && snapshot.types.get(starts.target);
  if (!starts || !target || !mayTakeOver(caller, target, starts.field)) return {};
  const reference = starts.via === tie ? null : starts.via;
  // What another type makes of a value that is not saved yet is seen once it is.
  if (reference === null && target.field.get(starts.field)?.type !== type.field.get(name)?.type) return {};
  return { starts_from: { reference, controller: starts.target, field: starts.field } };
}

/** The formula with values in place of what is not a field of the records to choose from. */
function withValues(checked: Checked, given: (name: string) => string | null): Checked {
  const of = (one: Checked): Checked => withValues(one, given);
  switch (checked.node) {
    case "value":
      return checked;
    case "field": {
      if (!checked.name.startsWith(OWN) && !checked.name.endsWith("()")) return checked;
      const value = literal(given(checked.name) ?? "", checked.is);
      if (value !== undefined) return { node: "value", is: checked.is, value };
      throw new Failure("malformed_parameter", { with: { name: "choices_record", reason: say("must_be_values") } });
    }
    case "in":
      return { ...checked, of: of(checked.of), values: checked.values.map(of) };
    case "call":
      return { ...checked, of: checked.of.map(of) };
    case "not":
    case "empty":
      return { ...checked, of: of(checked.of) };
    default:
      return { ...checked, left: of(checked.left), right: of(checked.right) };
  }
}
