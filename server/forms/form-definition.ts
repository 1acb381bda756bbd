// What a saved form is made of: tabs and sections of elements, each a field, a grid of children or a related list, with
// labels, helps, defaults, rights by role, and conditions. Checks the shape only; check-form.ts knows the record type.
import { z } from "zod";
import type { FormDefinition, FormSectionDefinition } from "../../contract/form-definition.ts";
import type { Field } from "../fields/field-type.ts";
import { coded } from "../lib/issue-message.ts";

const name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/u, coded("bad_part_name"));
const label = z.string().trim().min(1).max(120);
const help = z.string().max(1000);
const permission = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(4)], coded("permission_level"));
const condition = z.string().max(2000);

const rights = {
  permission: permission.optional(),
  /** Role code → permission; a person in several roles has the widest. */
  roles: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/u), permission).optional(),
  /** While it does not hold, the element has `else_permission` (hidden, unless said otherwise). */
  if_condition: condition.optional(),
  else_permission: z.union([z.literal(1), z.literal(4)], coded("bad_else_permission")).optional(),
};

const fieldElement = z.strictObject({
  field: name,
  label: label.optional(),
  help: help.optional(),
  /** A wire value that an empty record starts with in this form. */
  default: z.string().max(1000).optional(),
  required: z.boolean().optional(),
  required_if: condition.optional(),
  ...rights,
});

const gridElement = z.strictObject({
  grid: name,
  label: label.optional(),
  help: help.optional(),
  columns: z.array(name).min(1).max(40).optional(),
  ...rights,
});

const relatedElement = z.strictObject({
  related: name,
  label: label.optional(),
  help: help.optional(),
  ...rights,
});

const section = z.strictObject({
  section: label,
  help: help.optional(),
  columns: z.int().min(1).max(4).optional(),
  others: z.literal(true).optional(),
  elements: z.array(z.union([fieldElement, gridElement, relatedElement], coded("bad_element"))).max(500),
  ...rights,
});

const tab = z.strictObject({ tab: label, sections: z.array(section).max(50), ...rights });

export const formSchema: z.ZodType<FormDefinition> = z
  .strictObject({
    permission: rights.permission,
    roles: rights.roles,
    tabs: z.array(tab).max(20).optional(),
    sections: z.array(section).max(50).optional(),
  })
  .refine(({ tabs, sections }) => (tabs === undefined) !== (sections === undefined), {
    message: coded("tabs_or_sections"),
  });

export type {
  FormDefinition,
  FormElementDefinition as FormElement,
  FormFieldElement as FieldElement,
  FormRights as Rights,
  FormSectionDefinition as FormSection,
} from "../../contract/form-definition.ts";

/** A default stands for what somebody would type: there is none for what nobody may. */
export const takesDefault = ({ system, permission }: Pick<Field, "system" | "permission">): boolean =>
  !system && (permission === 0 || permission === 2);

/** The same form with what people read of it put into other words. */
export function translateForm(form: FormDefinition, words: (label: string) => string): FormDefinition {
  const read = <Part extends { readonly label?: string | undefined; readonly help?: string | undefined }>(
    part: Part,
  ): Part => ({
    ...part,
    ...(part.label === undefined ? {} : { label: words(part.label) }),
    ...(part.help === undefined ? {} : { help: words(part.help) }),
  });
  const section = (one: FormSectionDefinition): FormSectionDefinition => ({
    ...read(one),
    section: words(one.section),
    elements: one.elements.map(read),
  });
  return {
    ...form,
    ...(form.sections === undefined ? {} : { sections: form.sections.map(section) }),
    ...(form.tabs === undefined
      ? {}
      : { tabs: form.tabs.map((one) => ({ ...one, tab: words(one.tab), sections: one.sections.map(section) })) }),
  };
}

export const sectionsOf = (form: FormDefinition): readonly FormSectionDefinition[] =>
  form.sections ?? (form.tabs ?? []).flatMap((one) => one.sections);
