// Takes a saved form and a user's roles; returns the fields that it always hides from them, whatever the record's values.
// These are hidden everywhere, not only in the form. Hiding by condition is left to the form itself. Pure.
import { z } from "zod";
import { neverOnForms } from "../../contract/form-definition.ts";
import type { Permission } from "../../contract/permissions.ts";
import { acrossRoles, type EffectivePermission, effectivePermission, ofRole } from "./permission.ts";

const permission = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(4)]);
const rights = { permission: permission.optional(), roles: z.record(z.string(), permission).optional() };
const elements = z.array(z.object({ ...rights, field: z.string().optional() })).readonly();
const sections = z.array(z.object({ ...rights, others: z.boolean().optional(), elements })).readonly();

/** What of a form's definition tells its rights. */
export const formRightsSchema = z.object({
  ...rights,
  sections: sections.optional(),
  tabs: z
    .array(z.object({ ...rights, sections }))
    .readonly()
    .optional(),
});

type Rights = { readonly [Name in keyof typeof rights]?: z.infer<(typeof rights)[Name]> };
export type FormRights = z.infer<typeof formRightsSchema>;

export interface HiddenFields {
  /** Those that the form names. */
  readonly named: ReadonlySet<string>;
  has(field: string): boolean;
  /** The same text for the same fields, whichever are added to the type. */
  readonly print: string;
}

export function hiddenByForm(form: FormRights, roles: readonly string[]): HiddenFields {
  const level = (rights: Rights): EffectivePermission => acrossRoles(roles.map((code) => ofRole(rights.roles, code)));
  const effective = (rights: Rights, parent: EffectivePermission, whole: Permission): EffectivePermission =>
    effectivePermission({
      parent,
      declared: rights.permission ?? 0,
      roles: level(rights),
      form: whole,
      operation: "edit",
    });
  const whole = effective(form, 2, 0);
  const tabs = form.tabs ?? [{ sections: form.sections ?? [] }];
  const hidden = new Set<string>();
  const shown = new Set<string>();
  let hidesOthers = false;
  for (const tab of tabs) {
    const ofTab = effective(tab, whole, whole);
    for (const section of tab.sections) {
      const ofSection = effective(section, ofTab, whole);
      for (const element of section.elements) {
        if (element.field === undefined) continue;
        if (effective(element, ofSection, whole) === 1) hidden.add(element.field);
        else shown.add(element.field);
      }
      if (section.others) hidesOthers = ofSection === 1;
    }
  }
  const named = new Set([...hidden].filter((field) => !shown.has(field)));
  return {
    named,
    print: JSON.stringify([[...named].sort(), hidesOthers ? [...shown].sort() : null]),
    has: (field) => named.has(field) || (hidesOthers && !shown.has(field) && !neverOnForms.has(field)),
  };
}
