// What a form shows now: its tabs, sections and elements with the permission that the values on the screen give them.
import type { FormElement, FormTree, WireRecord } from "../../../../client/records/records.ts";
import { type Condition, evaluate, parseCondition, type ValueOf } from "../../../../contract/conditions.ts";
import { type Permission, permission } from "../../../../contract/permissions.ts";

/** While the condition does not hold, what it guards has at most this permission. */
export interface Guard {
  readonly condition: Condition;
  readonly otherwise: Permission;
}

export interface PlacedElement {
  readonly element: FormElement;
  /** Its own and those around it. */
  readonly guards: readonly Guard[];
}

export interface FormSection {
  readonly key: string;
  readonly label: string;
  readonly help: string | undefined;
  readonly columns: number;
  readonly elements: readonly PlacedElement[];
}

export interface FormTab {
  readonly key: string;
  /** Undefined for a form without tabs. */
  readonly label: string | undefined;
  readonly sections: readonly FormSection[];
}

const parsed = new Map<string, Condition | undefined>();

function conditionOf(text: string | undefined): Condition | undefined {
  if (text === undefined) return undefined;
  if (!parsed.has(text)) {
    const found = parseCondition(text);
    parsed.set(text, found.ok ? found.condition : undefined);
  }
  return parsed.get(text);
}

function guardsOf(element: FormElement, outer: readonly Guard[]): readonly Guard[] {
  const condition = conditionOf(element.if_condition);
  if (condition === undefined) return outer;
  return [...outer, { condition, otherwise: element.else_permission ?? permission.DELETE }];
}

const sectionsIn = (container: Pick<FormElement, "children">, outer: readonly Guard[]): readonly FormSection[] =>
  (container.children ?? [])
    .filter(({ template }) => template === "section")
    .map((section) => {
      const guards = guardsOf(section, outer);
      const { __name: key, label, help, columns = 1, children = [] } = section;
      const elements = children.map((element) => ({ element, guards: guardsOf(element, guards) }));
      return { key, label, help: help ?? undefined, columns, elements };
    });

export function tabsOf(form: FormTree): readonly FormTab[] {
  const tabs = (form.children ?? []).filter(({ template }) => template === "tab");
  if (tabs.length === 0) return [{ key: form.__name, label: undefined, sections: sectionsIn(form, []) }];
  return tabs.map((tab) => ({ key: tab.__name, label: tab.label, sections: sectionsIn(tab, guardsOf(tab, [])) }));
}

/** Every field, grid and list of a form. */
export const elementsOf = (form: FormTree): readonly FormElement[] =>
  tabsOf(form).flatMap(({ sections }) => sections.flatMap(({ elements }) => elements.map(({ element }) => element)));

/** The actions that may be taken now. */
export const actionsOf = (form: FormTree): readonly FormElement[] =>
  (form.children ?? []).filter(({ template }) => template === "submit");

/** The action that only saves, among those that may also move the record on. */
export const saveActionOf = (form: FormTree): FormElement | undefined => {
  const actions = actionsOf(form);
  return actions.find((action) => fieldName(action) === "save_progress") ?? actions[0];
};

const restriction: Readonly<Record<Permission, number>> = { 0: 0, 2: 0, 4: 1, 1: 2 };

/** The service's word, with its conditions held against what is on the screen now. */
export function permissionNow({ element, guards }: PlacedElement, typed: ValueOf): Permission {
  if (guards.length === 0 || element.granted_permission === undefined) return element.permission;
  return guards.reduce<Permission>(
    (sum, { condition, otherwise }) =>
      evaluate(condition, typed) || restriction[sum] >= restriction[otherwise] ? sum : otherwise,
    element.granted_permission,
  );
}

export function isRequired(element: FormElement, typed: ValueOf): boolean {
  if (element.not_empty === "1") return true;
  const condition = conditionOf(element.required_if);
  return condition !== undefined && evaluate(condition, typed);
}

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === "";

/** Also where empty fields are folded away: what is filled in, and what must be. */
export const hasPlace = (element: FormElement, record: WireRecord, typed: ValueOf): boolean =>
  element.template === "grid" || isRequired(element, typed) || !isNothing(record[fieldName(element)]);

export const fieldName = (element: FormElement): string => element.name.at(-1) ?? "";

/** Files that are attached to a record have a panel of their own. */
export const isFileGrid = ({ template, controller }: FormElement): boolean =>
  template === "grid" && controller === "core/attachments";

/** Related records have a place of their own; a grid without rows would only take room where nobody can add one. */
export const isDrawn = (element: FormElement, record: WireRecord, isEdited: boolean): boolean => {
  if (element.template === "related" || isFileGrid(element)) return false;
  if (element.template !== "grid" || isEdited) return true;
  const rows = record[fieldName(element)];
  return Array.isArray(rows) && rows.length > 0;
};
