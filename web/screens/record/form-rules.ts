// What a form shows now: its elements with the permission that the values on the screen give them.
import type { FormElement, WireRecord } from "../../../client/records.ts";
import { evaluate, parseCondition, type ValueOf } from "../../../contract/conditions.ts";

import { type Permission, permission } from "../../../contract/permissions.ts";

export interface FormSection {
  readonly key: string;
  readonly label: string;
  readonly columns: number;
  readonly elements: readonly FormElement[];
}

/** Tabs are sections under their own names. */
export const sectionsOf = (form: FormElement): readonly FormSection[] =>
  (form.children ?? []).flatMap((element): readonly FormSection[] => {
    if (element.permission === permission.DELETE) return [];
    if (element.template === "tab") return sectionsOf(element);
    if (element.template !== "section") return [];
    const { __name: key, label, columns = 1, children: elements = [] } = element;
    return [{ key, label, columns, elements }];
  });

/** The actions that may be taken now. */
export const actionsOf = (form: FormElement): readonly FormElement[] =>
  (form.children ?? []).filter(({ template }) => template === "submit");

/** The service's word, but for a condition that what was typed has made true or false since. */
export function permissionNow(element: FormElement, stored: ValueOf, typed: ValueOf, isEdited: boolean): Permission {
  const parsed = element.if_condition === undefined ? undefined : parseCondition(element.if_condition);
  if (!parsed?.ok) return element.permission;
  const [before, now] = [evaluate(parsed.condition, stored), evaluate(parsed.condition, typed)];
  if (before === now) return element.permission;
  if (!now) return element.else_permission ?? permission.DELETE;
  return isEdited ? permission.EDIT : permission.VIEW;
}

export const fieldName = (element: FormElement): string => element.name.at(-1) ?? "";

/** A grid without rows, and what this page does not draw yet, would only take room. */
export const isDrawn = (element: FormElement, record: WireRecord): boolean => {
  if (element.template === "related") return false;
  if (element.template !== "grid") return true;
  const rows = record[fieldName(element)];
  return Array.isArray(rows) && rows.length > 0;
};
