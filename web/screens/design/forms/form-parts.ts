// What can stand on a form of a record type: its fields, the children that belong to its records, lists of related ones.
import type { Icon } from "@tabler/icons-react";
import { IconListDetails, IconTable } from "@tabler/icons-react";
import type { RecordTypeSchema, SchemaAssociation, SchemaField } from "../../../../client/design/record-types.ts";
import { type FormElementDefinition, neverOnForms } from "../../../../contract/form-definition.ts";
import { fieldTypes } from "../../../fields/index.ts";

export interface FormPart {
  readonly name: string;
  readonly label: string;
  readonly icon: Icon;
  readonly kind: "field" | "grid" | "related";
  readonly field?: SchemaField;
  /** Of a grid: the type of its rows. */
  readonly rowType?: string | undefined;
  readonly element: FormElementDefinition;
}

const grid = (one: SchemaAssociation): FormPart => ({
  name: one.name,
  label: one.label,
  icon: IconTable,
  kind: "grid",
  rowType: one.type ?? undefined,
  element: { grid: one.name },
});
const related = (one: SchemaAssociation): FormPart => ({
  name: one.name,
  label: one.label,
  icon: IconListDetails,
  kind: "related",
  element: { related: one.name },
});

export function partsOf({ fields, hasMany, hasManyThrough }: RecordTypeSchema): readonly FormPart[] {
  return [
    ...fields
      .filter(({ name }) => !neverOnForms.has(name))
      // Those that people fill in first.
      .toSorted((one, other) => Number(one.system === true) - Number(other.system === true))
      .map(
        (field): FormPart => ({
          name: field.name,
          label: field.label,
          icon: fieldTypes[field.type].design.icon,
          kind: "field",
          field,
          element: { field: field.name },
        }),
      ),
    // Talk about a record is no part of its form.
    ...hasMany.filter(({ type }) => type !== "core/comments").map((one) => (one.owned ? grid(one) : related(one))),
    ...hasManyThrough.map(related),
  ];
}
