// Takes a field; gives its form element and the rules that a client can check. What differs by field type comes from
// the field type itself. Pure.
import type { Checked } from "../../contract/formula/check-formula.ts";
import { about, fault } from "../../contract/messages.ts";
import { wireRule } from "../../contract/rules.ts";
import { type Language, write } from "../../contract/texts/write.ts";
import { type EffectivePermission, ofRole } from "../access/permission.ts";
import type { Field, FieldRule } from "../fields/field-type.ts";
import type { OwnedAssociation, RelatedAssociation } from "../metadata/associations.ts";
import { settingsTold, typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { FieldElement, FormElement, Rights } from "./form-definition.ts";

/** What every element of a form carries, its permission aside. */
export interface Heading {
  readonly name: readonly string[];
  readonly __name: string;
  readonly label: string;
  readonly template: string;
  readonly method: string;
  readonly not_empty: "0" | "1";
  readonly [more: string]: unknown;
}

/** Stands where a row's number comes in the names of a grid's elements. */
export const ROW = "{n}";

function heading(path: readonly string[], field: Field, label: string, required: boolean): Heading {
  const type = typeOf(field);
  return {
    name: path,
    __name: path.join("."),
    label,
    template: type.input.template,
    method: type.input.method,
    not_empty: required ? "1" : "0",
    ...unrestricted,
    data_type: type.dataType,
    type: field.type,
    help: field.help ?? null,
    ...type.inputSettings?.(field),
    ...settingsTold(field),
  };
}

/** What an element says of rights where nothing narrows them. */
const unrestricted = { rules: [], roles: {} };

/**
 * What narrows a tab, a section or an element; it holds for all that is inside. `permission` is what it has while its
 * condition holds; `ownRoles` are those of the caller that it names.
 */
export function rightsOf(
  { if_condition, else_permission = 1, roles = {} }: Rights,
  permission: EffectivePermission,
  ownRoles: readonly { readonly id: string; readonly code: string }[],
) {
  const named = ownRoles.flatMap(({ id, code }) => {
    const override = ofRole(roles, code);
    return override === undefined ? [] : [[id, { permission: String(override) }] as const];
  });
  return {
    ...(if_condition === undefined
      ? { rules: [] }
      : {
          if_condition,
          else_permission,
          rules: [
            { if_condition, permission: String(permission) },
            { if_condition: `not (${if_condition})`, permission: String(else_permission) },
          ],
        }),
    roles: Object.fromEntries(named),
  };
}

export function fieldElement(type: RecordType, field: Field, given: FieldElement, required: boolean): Heading {
  const element = heading([type.alias, field.name], field, given.label ?? field.label, required);
  return {
    ...element,
    help: given.help ?? field.help ?? null,
    default: given.default ?? field.initial ?? null,
    ...(given.required_if === undefined ? {} : { required_if: given.required_if }),
  };
}

export function childElement(type: RecordType, association: OwnedAssociation, field: Field): Heading {
  return {
    ...heading([type.alias, association.name, ROW, field.name], field, field.label, field.required),
    default: field.initial ?? null,
  };
}

const associationMethods = { grid: "has_many", related: "list" } as const;

/** A grid of children, or a list of related records. */
export function associationElement(
  type: RecordType,
  association: OwnedAssociation | RelatedAssociation,
  given: FormElement,
  template: keyof typeof associationMethods,
  more: Readonly<Record<string, unknown>>,
): Heading {
  return {
    name: [type.alias, association.name],
    __name: `${type.alias}.${association.name}`,
    label: given.label ?? association.label,
    help: given.help ?? null,
    template,
    method: associationMethods[template],
    not_empty: "0",
    ...unrestricted,
    ...more,
  };
}

/** Stands for the record's own id in what ties related records to it. */
const ID = "{{ID}}";

/** What related records are found by (`where`), and what a new one starts with (`prefill`). */
export function tieOf(type: RecordType, association: RelatedAssociation, far: RecordType) {
  if (association.kind === "has-many-through") {
    // Found from the other side, where that has the way back; what is between them is written by neither.
    const back = far.associations.find(
      (one) =>
        one.kind === "has-many-through" &&
        one.through === association.through &&
        one.via === association.to &&
        one.to === association.via,
    );
    return back ? { where: { [`${far.alias}.${back.name}.id`]: ID } } : {};
  }
  const tie = association.kind === "has-many" ? { [association.via]: ID } : { related_type: type.key, related_id: ID };
  const where = Object.fromEntries(Object.entries(tie).map(([name, value]) => [`${far.alias}.${name}`, value]));
  return { where, prefill: tie };
}

export const container = (
  template: "tab" | "section",
  label: string,
  path: readonly string[],
  more: Readonly<Record<string, unknown>>,
): Heading => ({ name: path, __name: path.join("."), label, template, method: template, not_empty: "0", ...more });

/** Rules of the record that are said at a field: the formula, and what it comes to be worked out (contract/formula). */
export interface WireRecordRule {
  readonly rule: "formula";
  readonly params: readonly [formula: string];
  readonly checked: Checked;
  readonly message: string;
}

/** By the field where each is said. Whoever may not see a field that one looks at learns nothing of it before saving. */
export function recordRulesOf(
  type: RecordType,
  isSeen: (field: string) => boolean,
  language: Language,
): ReadonlyMap<string, readonly WireRecordRule[]> {
  const found = new Map<string, readonly WireRecordRule[]>();
  for (const { formula, checked, message, messages, places, reads } of type.rules) {
    const [place] = places;
    // What is computed is not worked out again while somebody types.
    if (place === undefined || ![...places, ...reads].every((name) => isSeen(name) && !type.computed.has(name)))
      continue;
    const told = { rule: "formula", params: [formula], checked, message: messages?.[language] ?? message } as const;
    found.set(place, [...(found.get(place) ?? []), told]);
  }
  return found;
}

/** As forms carry it: the sentence is in the reader's language. */
export interface WireRule extends Omit<FieldRule, "message"> {
  readonly message: string;
}

/** `alike`: a save with the value of another record is answered with a warning. */
export function rulesOf(
  type: RecordType,
  field: Field,
  label: string,
  required: boolean,
  alike: boolean,
  language: Language,
): readonly WireRule[] {
  const own = typeOf(field).rules?.(field) ?? [];
  const unique = tellsApart(type, field) || alike;
  const all: readonly FieldRule[] = [
    ...(required ? [{ rule: wireRule.required, params: [], message: fault("required") }] : []),
    ...own,
    ...(unique ? [{ rule: wireRule.unique, params: [], message: fault("taken") }] : []),
  ];
  return all.map(({ message, ...rule }) => ({ ...rule, message: write(about(label, message), language) }));
}

/** No two records have the same; of several fields that are unique together, the last that is typed. */
function tellsApart(type: RecordType, field: Field): boolean {
  if (field.unique) return true;
  return type.unique.some((names) => {
    const typed = names.filter((name) => {
      const each = type.field.get(name);
      return each !== undefined && typeOf(each).isName === true;
    });
    return (names.length === 1 ? names[0] : typed.at(-1)) === field.name;
  });
}
