// Takes a form's definition, its record type and a caller; gives the form as that caller has it: every element with its
// effective permission, rules and labels, ready to be written for any values of the record. Pure; cached by form-cache.ts.
import { type Condition, evaluate, fieldsOf, parseCondition, type ValueOf } from "../../contract/conditions.ts";
import { say } from "../../contract/messages.ts";
import { write } from "../../contract/texts/write.ts";
import type { Caller } from "../access/caller.ts";
import { fieldPermission } from "../access/field-mask.ts";
import { mayOperate } from "../access/matrix.ts";
import {
  acrossRoles,
  type EffectivePermission,
  effectivePermission,
  mostRestrictive,
  ofRole,
} from "../access/permission.ts";
import { isFilledIn } from "../fields/field-type.ts";
import { Recent } from "../lib/memory/recent.ts";
import { childTypeOf, isOwned, isRelated, ownedAssociations } from "../metadata/associations.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { choicesTold, startTold } from "../plan/plan-choices.ts";
import { actionsOf, type FormAction, type FormMode, submitElement } from "./actions.ts";
import {
  associationElement,
  childElement,
  container,
  fieldElement,
  type Heading,
  recordRulesOf,
  rightsOf,
  rulesOf,
  tieOf,
} from "./elements.ts";
import {
  type FormDefinition,
  type FormElement,
  type FormSection,
  type Rights,
  takesDefault,
  translateForm,
} from "./form-definition.ts";
import { type FormNode, type Guard, permissionNow, presentNode } from "./form-node.ts";
import { withOthers } from "./generate-form.ts";
import { gridFields } from "./grid-fields.ts";

export interface CompiledForm {
  /**
   * The form tree as JSON, for a record with these values, and with what its workflow offers now. Kept as bytes: most of a
   * view response is this.
   */
  render(read: ValueOf, transitions?: readonly FormAction[]): Buffer;
  /** JSON of the response's keys of the same names. */
  readonly labels: Buffer;
  readonly filterRules: Buffer;
  readonly notEmptyField: Buffer;
  /** What the form itself says of a field, for these values; 2 where it says nothing. */
  permissionOf(field: string, read: ValueOf): EffectivePermission;
  /** Fields that the form hides from this caller whatever the values. */
  readonly hidden: ReadonlySet<string>;
  isRequired(field: string, read: ValueOf): boolean;
  /** The fields whose values decide on the above: those that conditions look at, and those that can be required. */
  readonly reads: ReadonlySet<string>;
  /** Wire values that an empty record starts with, beside those of the record type. */
  readonly defaults: ReadonlyMap<string, string>;
}

export interface FormSource {
  readonly definition: FormDefinition;
  readonly type: RecordType;
  readonly snapshot: Snapshot;
  readonly caller: Caller;
  readonly mode: FormMode;
  /** Of the saved form; null for a generated one. */
  readonly id: string | null;
}

const MAX_TEXTS = 256;

export function compileForm(source: FormSource): CompiledForm {
  const { type, snapshot, caller, mode } = source;
  const definition = translateForm(withOthers(source.definition, type), snapshot.words);
  const conditions: Condition[] = [];
  const labels: Record<string, string> = {};
  const filterRules: Record<string, unknown> = {};
  const required = new Map<string, readonly Condition[] | true>();
  const notEmpty: Record<string, Record<string, string>> = {};
  const elementOf = new Map<string, FormNode>();
  const defaults = new Map<string, string>();

  const level = (rights: Rights): EffectivePermission =>
    caller.isAdministrator ? 2 : acrossRoles(caller.roles.map((role) => ofRole(rights.roles, role.code)));
  const formLevel = effectivePermission({
    parent: 2,
    declared: definition.permission ?? 0,
    roles: level(definition),
    form: 0,
    operation: mode,
  });

  const understood = (text: string | undefined): Condition | undefined => {
    const parsed = text === undefined ? undefined : parseCondition(text);
    return parsed?.ok ? parsed.condition : undefined;
  };
  const guardsOf = (rights: Rights, outer: readonly Guard[]): readonly Guard[] => {
    const condition = understood(rights.if_condition);
    if (!condition) return outer;
    return [...outer, { condition: conditions.push(condition) - 1, otherwise: rights.else_permission ?? 1 }];
  };
  const effective = (rights: Rights, parent: EffectivePermission): EffectivePermission =>
    effectivePermission({
      parent,
      declared: rights.permission ?? 0,
      roles: level(rights),
      form: formLevel,
      operation: mode,
    });

  const warned = new Set(type.duplicates.flat());
  const remember = (heading: Heading) => {
    labels[heading.__name] = heading.label;
  };
  const ownRoles = caller.isAdministrator ? [] : caller.roles;
  const rights = (given: Rights, permission: EffectivePermission) => rightsOf(given, permission, ownRoles);
  const requires = (controller: string, { name }: { readonly name: string }, label: string) => {
    const fields = notEmpty[controller] ?? {};
    fields[name] = write(say("required", { field: label }), caller.language);
    notEmpty[controller] = fields;
  };

  function element(given: FormElement, parent: EffectivePermission, outer: readonly Guard[]): FormNode | undefined {
    const guards = guardsOf(given, outer);
    const own = effective(given, parent);
    if ("field" in given) {
      const field = type.field.get(given.field);
      if (!field || (mode === "add" && isFilledIn(field))) return undefined;
      const permission = mostRestrictive(own, fieldPermission(type, field.name, caller, mode));
      const mayBeEmpty = !field.required && given.required !== true;
      const content = {
        ...fieldElement(type, field, given, !mayBeEmpty),
        ...choicesTold(type, field.name, caller),
        ...(given.default === undefined ? startTold(snapshot, type, field.name, caller) : {}),
        ...rights(given, permission),
      };
      const node = { content, permission, guards };
      elementOf.set(field.name, node);
      if (permission === 1) return undefined;
      remember(content);
      filterRules[field.name] = rulesOf(
        type,
        field,
        content.label,
        !mayBeEmpty,
        warned.has(field.name),
        caller.language,
      );
      if (!mayBeEmpty) required.set(field.name, true);
      else if (given.required_if !== undefined) {
        const condition = understood(given.required_if);
        if (condition) required.set(field.name, [condition]);
      }
      // Checked when it was saved; a form that is older than the rule fills in nothing that people could not.
      if (given.default !== undefined && takesDefault(field)) defaults.set(field.name, given.default);
      return node;
    }
    if ("grid" in given) return grid(given, own, guards);
    const association = type.association.get(given.related);
    if (!association || !isRelated(association) || own === 1) return undefined;
    const far = snapshot.types.get(association.type);
    if (!far || !mayOperate(caller, far, "index")) return undefined;
    const content = associationElement(type, association, given, "related", {
      controller: far.key,
      related_model_class: type.key,
      association: association.name,
      href: `/${far.key}/view.json`,
      singular: far.label,
      may_add: mayOperate(caller, far, "add") ? 1 : 0,
      ...tieOf(type, association, far),
    });
    remember(content);
    const shown = mostRestrictive(own, 4);
    return { content: { ...content, ...rights(given, shown) }, permission: shown, guards };
  }

  function grid(given: Extract<FormElement, { grid: string }>, own: EffectivePermission, guards: readonly Guard[]) {
    const association = type.association.get(given.grid);
    if (!association || !isOwned(association) || own === 1) return undefined;
    const child = childTypeOf(snapshot, association);
    const shown = gridFields(child, association).filter((name) => given.columns?.includes(name) ?? true);
    const children: FormNode[] = [];
    for (const name of shown) {
      const field = child.field.get(name);
      const permission = field ? mostRestrictive(own, fieldPermission(child, name, caller, mode)) : 1;
      if (!field || permission === 1) continue;
      const tie = association.kind === "has-many" ? association.via : undefined;
      const content = {
        ...childElement(type, association, field),
        ...choicesTold(child, name, caller),
        ...startTold(snapshot, child, name, caller, tie),
      };
      remember(content);
      const path = `${association.name}.${name}`;
      filterRules[path] = rulesOf(child, field, field.label, field.required, warned.has(path), caller.language);
      if (field.required) requires(association.name, field, field.label);
      children.push({ content, permission, guards });
    }
    const content = associationElement(type, association, given, "grid", {
      controller: child.key,
      singular: child.label,
      allow_row_create: own === 2 ? "1" : "0",
      allow_row_delete: own === 2 ? "1" : "0",
      show_labels: "1",
    });
    remember(content);
    return { content: { ...content, ...rights(given, own) }, permission: own, guards, children };
  }

  function section(given: FormSection, parent: EffectivePermission, outer: readonly Guard[], path: readonly string[]) {
    const permission = effective(given, parent);
    const guards = guardsOf(given, outer);
    const children = given.elements.flatMap((one) => element(one, permission, guards) ?? []);
    if (permission === 1 || children.length === 0) return undefined;
    return {
      content: container("section", given.section, path, {
        columns: given.columns ?? 1,
        help: given.help ?? null,
        open: "1",
        ...rights(given, permission),
      }),
      permission,
      guards,
      children,
    };
  }

  const sections = (
    given: readonly FormSection[],
    parent: EffectivePermission,
    outer: readonly Guard[],
    path: string[],
  ) => given.flatMap((one, index) => section(one, parent, outer, [...path, `section_${index}`]) ?? []);
  const children: readonly FormNode[] = definition.sections
    ? sections(definition.sections, formLevel, [], [type.alias])
    : (definition.tabs ?? []).flatMap((tab, index) => {
        const permission = effective(tab, formLevel);
        const guards = guardsOf(tab, []);
        const path = [type.alias, `tab_${index}`];
        const inner = sections(tab.sections, permission, guards, path);
        if (permission === 1 || inner.length === 0) return [];
        return [
          { content: container("tab", tab.tab, path, rights(tab, permission)), permission, guards, children: inner },
        ];
      });

  // A field that the form does not show is still required by its type.
  for (const field of type.fields) {
    if (!field.required || elementOf.has(field.name)) continue;
    required.set(field.name, true);
    if (fieldPermission(type, field.name, caller, mode) !== 1) {
      filterRules[field.name] = rulesOf(type, field, field.label, true, warned.has(field.name), caller.language);
    }
  }
  const isSeen = (name: string) => fieldPermission(type, name, caller, "view") !== 1;
  for (const [name, rules] of recordRulesOf(type, isSeen, caller.language)) {
    const own = filterRules[name];
    filterRules[name] = [...(Array.isArray(own) ? own : []), ...rules];
  }
  notEmpty[type.alias] = {};
  for (const [name, when] of required) {
    const field = type.field.get(name);
    if (field && when === true) requires(type.alias, field, labels[`${type.alias}.${name}`] ?? field.label);
  }
  for (const association of ownedAssociations(type)) notEmpty[association.name] ??= {};

  const holds = (index: number, read: ValueOf): boolean => {
    const condition = conditions[index];
    return condition === undefined || evaluate(condition, read);
  };
  const head = {
    name: type.alias,
    __name: type.alias,
    label: type.label,
    template: "form",
    method: mode,
    permission: formLevel,
    not_empty: "0",
    model_class: type.key,
    form_metadata_id: source.id,
    form_view_href: source.id === null ? null : `/core/forms/view?id=${source.id}`,
    href: `/${type.key}/${mode}.json`,
    enable_split_layout: 0,
    labels,
  };
  const submit = ({ name, label }: FormAction) => submitElement({ name, label: snapshot.words(label) }, type.module);
  const submits = actionsOf(formLevel === 2 ? mode : "view").map(submit);
  const texts = new Recent<string, Buffer>(MAX_TEXTS);
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  return {
    render: (read, transitions = []) => {
      const bits = conditions.map((_, index) => holds(index, read));
      const offered = transitions.map(submit);
      const key = `${bits.map((bit) => (bit ? "1" : "0")).join("")} ${transitions.map(({ name, label }) => `${name} ${label}`).join("\n")}`;
      let text = texts.get(key);
      if (text === undefined) {
        const truth = (index: number) => bits[index] ?? true;
        const nodes = children.map((child) => presentNode(child, truth));
        text = json({ ...head, children: [...nodes, ...submits, ...offered] });
        texts.set(key, text);
      }
      return text;
    },
    labels: json(labels),
    filterRules: json(filterRules),
    notEmptyField: json(notEmpty),
    permissionOf: (field, read) => {
      const node = elementOf.get(field);
      return node ? permissionNow(node, (index) => holds(index, read)) : formLevel;
    },
    hidden: new Set([...elementOf].filter(([, node]) => node.permission === 1).map(([name]) => name)),
    isRequired: (field, read) => {
      const when = required.get(field);
      return when === true || (when?.some((condition) => evaluate(condition, read)) ?? false);
    },
    reads: new Set([
      ...conditions.flatMap((condition) => [...fieldsOf(condition)]),
      ...[...required].flatMap(([name, when]) => [
        name,
        ...(when === true ? [] : when.flatMap((condition) => [...fieldsOf(condition)])),
      ]),
    ]),
    defaults,
  };
}
