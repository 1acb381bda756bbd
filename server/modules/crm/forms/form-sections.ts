// What the shipped forms have in common: fields by their names, and the sections that every one of them ends with.
import type { FormDefinition, FormFieldElement, FormSectionDefinition } from "../../../../contract/form-definition.ts";

export interface StandardForm {
  readonly controller: string;
  readonly name: string;
  readonly definition: FormDefinition;
}

export const fields = (...names: readonly string[]): readonly FormFieldElement[] => names.map((field) => ({ field }));

/** Files, then what an organization adds to the record type, and what the service keeps of a record last. */
export const lastSections: readonly FormSectionDefinition[] = [
  { section: "Files", elements: [{ grid: "attachments" }] },
  { section: "Other", columns: 2, others: true, elements: [] },
  {
    section: "System",
    columns: 2,
    elements: fields(
      "owned_by",
      "primary_acl_group",
      "business_key",
      "created",
      "created_by",
      "modified",
      "modified_by",
      "revision",
    ),
  },
];
