// What a form is when somebody writes it down: tabs and sections of elements, each a field, a grid of children or a related
// list. Types alone; server/forms/form-definition.ts holds definitions to them.
import type { Permission } from "./permissions.ts";

/** What every part of a form can say of rights. */
export interface FormRights {
  readonly permission?: Permission | undefined;
  /** Role code → permission; a person in several roles has the widest. */
  readonly roles?: Readonly<Record<string, Permission>> | undefined;
  /** While it does not hold, the element has `else_permission` (hidden, unless said otherwise). */
  readonly if_condition?: string | undefined;
  readonly else_permission?: 1 | 4 | undefined;
}

interface Worded {
  readonly label?: string | undefined;
  readonly help?: string | undefined;
}

export interface FormFieldElement extends FormRights, Worded {
  readonly field: string;
  /** A wire value that an empty record starts with in this form. */
  readonly default?: string | undefined;
  readonly required?: boolean | undefined;
  readonly required_if?: string | undefined;
}

export interface FormGridElement extends FormRights, Worded {
  readonly grid: string;
  readonly columns?: readonly string[] | undefined;
}

export interface FormRelatedElement extends FormRights, Worded {
  readonly related: string;
}

export type FormElementDefinition = FormFieldElement | FormGridElement | FormRelatedElement;

export interface FormSectionDefinition extends FormRights {
  readonly section: string;
  readonly help?: string | undefined;
  readonly columns?: number | undefined;
  /** Behind its elements it shows everything that no section names, also what is added to the record type later. One of a form can. */
  readonly others?: true | undefined;
  readonly elements: readonly FormElementDefinition[];
}

export interface FormTabDefinition extends FormRights {
  readonly tab: string;
  readonly sections: readonly FormSectionDefinition[];
}

/** Either tabs or sections. */
export interface FormDefinition extends Pick<FormRights, "permission" | "roles"> {
  readonly tabs?: readonly FormTabDefinition[] | undefined;
  readonly sections?: readonly FormSectionDefinition[] | undefined;
}

/** What an element is called by within its form; no two have the same. */
export const elementName = (element: FormElementDefinition): string =>
  "field" in element ? element.field : "grid" in element ? element.grid : element.related;

/** The organization, the recycle bin and the workflow are no fields for people. */
export const neverOnForms: ReadonlySet<string> = new Set([
  "id",
  "organization_id",
  "deleted",
  "current_stage",
  "stage_since",
  "workflow_version",
  "current_workflow_actors",
]);
