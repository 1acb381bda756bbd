// Takes a record type; gives the form that it has when nobody saved one: its fields, its children, what it is related
// to, whose it is, and what the service keeps of it. Talk about a record is no part of its form. Pure.

import { elementName, neverOnForms } from "../../contract/form-definition.ts";
import { isOwned, isRelated } from "../metadata/associations.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { type FormDefinition, type FormSection, sectionsOf } from "./form-definition.ts";

const ownership = ["owned_by", "primary_acl_group", "category_id"];
const bookkeeping = ["business_key", "created", "created_by", "modified", "modified_by", "revision"];
const elsewhere = new Set([...neverOnForms, ...ownership, ...bookkeeping]);

export function generateForm(type: RecordType): FormDefinition {
  // What lies between them is already there as children, with what it leads to.
  const grids = new Set(type.associations.filter(isOwned).map((association) => association.type));
  const related = type.associations
    .filter(isRelated)
    .filter((association) => !("shown" in association && association.shown))
    .filter((association) => association.kind !== "has-many-through" || !grids.has(association.through));
  const own = type.fields.filter((field) => !elsewhere.has(field.name)).map((field) => ({ field: field.name }));
  const present = (names: readonly string[]) =>
    names.filter((name) => type.field.has(name)).map((name) => ({ field: name }));
  const sections: FormSection[] = [
    { section: "Details", columns: 2, elements: own },
    ...type.associations
      .filter(isOwned)
      .filter((association) => association.type !== "core/comments")
      .map((association) => ({ section: association.label, elements: [{ grid: association.name }] })),
    {
      section: "Related",
      elements: related.map((association) => ({ related: association.name })),
    },
    { section: "Owner and group", columns: 2, elements: present(ownership) },
    { section: "Record", columns: 2, elements: present(bookkeeping) },
  ];
  return { sections: sections.filter((section) => section.elements.length > 0) };
}

/** The form with what its section of all others comes to: whatever the generated one shows and no section names, in that order. */
export function withOthers(form: FormDefinition, type: RecordType): FormDefinition {
  if (!sectionsOf(form).some(({ others }) => others)) return form;
  const named = new Set(sectionsOf(form).flatMap(({ elements }) => elements.map(elementName)));
  const rest = sectionsOf(generateForm(type))
    .flatMap(({ elements }) => elements)
    .filter((element) => !named.has(elementName(element)));
  const filled = (sections: readonly FormSection[]): FormSection[] =>
    sections.map((section) => (section.others ? { ...section, elements: [...section.elements, ...rest] } : section));
  return form.sections
    ? { ...form, sections: filled(form.sections) }
    : { ...form, tabs: (form.tabs ?? []).map((tab) => ({ ...tab, sections: filled(tab.sections) })) };
}
