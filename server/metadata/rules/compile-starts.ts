// Takes all record types; gives each what its fields take over from records that a new one names, or refuses the type with the place. Also
// tells where a default names a record of another type than its field does.
import type { Expression } from "../../../contract/expressions.ts";
import { type Message, say } from "../../../contract/messages.ts";
import { type Field, isFilledIn } from "../../fields/field-type.ts";
import type { DesignFault } from "../../lib/design-fault.ts";
import { targetOf, typeOf } from "../compile.ts";
import { definitionRefused } from "../definition-refusal.ts";
import type { RecordType, RecordTypeKey } from "../record-type.ts";
import { MOST_ROUNDS, neverSettled, type StartsFrom } from "./starts-from.ts";

/** Replaces the types that have such fields by themselves with what these take over. */
export function compileStarts(types: Map<RecordTypeKey, RecordType>): void {
  for (const type of [...types.values()]) {
    const faults: DesignFault[] = [];
    const startsFrom = new Map<string, StartsFrom>();
    for (const field of type.fields) {
      if (field.starts?.kind !== "field") continue;
      const refuse = (wrong: Message) => faults.push({ at: `fields.${field.name}.initialFormula`, wrong });
      const compiled = compileOne(types, type, field, field.starts.field, refuse);
      if (compiled) startsFrom.set(field.name, compiled);
    }
    for (const name of neverSettled({ ...type, startsFrom })) {
      faults.push({ at: `fields.${name}.initialFormula`, wrong: say("initial_waits", { most: MOST_ROUNDS }) });
    }
    if (faults.length > 0) throw definitionRefused(faults, type.key);
    if (startsFrom.size > 0) types.set(type.key, Object.freeze({ ...type, startsFrom }));
  }
}

/** Of the service alone: they say nothing that people would take over. */
const ofService = new Set(["organization_id", "deleted", "revision", "workflow_version"]);

function compileOne(
  types: ReadonlyMap<RecordTypeKey, RecordType>,
  type: RecordType,
  field: Field,
  path: string,
  refuse: (wrong: Message) => void,
): StartsFrom | undefined {
  const [name = "", source = ""] = path.split(".");
  const tie = type.association.get(name);
  const target = tie?.kind === "belongs-to" ? types.get(tie.type) : undefined;
  if (tie?.kind !== "belongs-to" || !target || tie.via === field.name) {
    refuse(say("initial_not_reference", { name }));
    return undefined;
  }
  const from = ofService.has(source) ? undefined : target.field.get(source);
  if (!from) refuse(say("missing_field", { name: path }));
  else if (target.confidential && !type.confidential) refuse(say("initial_confidential", { type: target.plural }));
  else if (!fits(from, field)) refuse(say("initial_not_fitting", { name: path }));
  else if (isInOtherCurrency(from, field)) refuse(say("initial_other_currency", { name: path }));
  else if (isFilledIn(from) && isSavedAlong(type, tie.via, target)) refuse(say("initial_known_later", { name: path }));
  else return { via: tie.via, target: target.key, field: source };
  return undefined;
}

/** Files belong to one record; what a reference names must be what the other may name. */
function fits(from: Field, to: Field): boolean {
  const [source, own] = [typeOf(from), typeOf(to)];
  if (source.fileRule || own.fileRule) return false;
  if (from.type === to.type) return targetOf(from) === targetOf(to);
  return source.value !== undefined && source.value === own.value;
}

/** Two amounts of which one has a currency of its own: the same number could come to mean another amount. */
function isInOtherCurrency(from: Field, to: Field): boolean {
  const [source, own] = [typeOf(from), typeOf(to)];
  if (!source.hasOwnCurrency || !own.hasOwnCurrency) return false;
  return source.hasOwnCurrency(from.settings) || own.hasOwnCurrency(to.settings);
}

/** Rows that are saved with the record they belong to are drafted before the service fills in anything there. */
const isSavedAlong = (type: RecordType, via: string, target: RecordType): boolean =>
  target.associations.some((one) => one.kind === "has-many" && one.owned && one.type === type.key && one.via === via);

/** What these functions give is the id of such a record. */
const recordsOf: ReadonlyMap<string, RecordTypeKey> = new Map([
  ["me", "access_controls/users"],
  ["group", "access_controls/groups"],
  ["currency", "masters/currencies"],
]);

/** Asked where a design is saved: one that is stored already stays in service, and so do its fields that stay as they are (`kept`). */
export function requireFittingStarts(type: RecordType, kept: ReadonlySet<string>): void {
  const faults = type.fields.flatMap((field): DesignFault[] => {
    if (kept.has(field.name)) return [];
    const named = field.starts ? callsIn(field.starts).filter((name) => recordsOf.has(name)) : [];
    const wrong = named.find((name) => recordsOf.get(name) !== targetOf(field));
    return wrong === undefined
      ? []
      : [{ at: `fields.${field.name}.initialFormula`, wrong: say("initial_other_record", { name: `${wrong}()` }) }];
  });
  if (faults.length > 0) throw definitionRefused(faults, type.key);
}

function callsIn(expression: Expression): readonly string[] {
  if ("left" in expression) return [...callsIn(expression.left), ...callsIn(expression.right)];
  return expression.kind === "call" ? [expression.name, ...expression.of.flatMap(callsIn)] : [];
}
