// A field of a schema as the element of a form, for inputs that stand outside of forms: filters and cells of a table.
import type { SchemaField } from "../../../client/design/record-types.ts";
import type { FormElement } from "../../../client/records/records.ts";

export const elementOf = (field: SchemaField, alias = ""): FormElement => ({
  name: [alias, field.name],
  __name: field.column_name,
  label: field.label,
  template: "input",
  method: "text",
  permission: field.permission,
  not_empty: field.required ? "1" : "0",
  type: field.type,
  ...(field.options
    ? {
        options: field.options.map(({ value, label, color }) => ({ value, text: label, ...(color ? { color } : {}) })),
      }
    : {}),
  ...(field.to ? { controller: field.to } : {}),
  ...(field.choices ? { choices: field.choices } : {}),
  ...(field.settings ? { settings: field.settings } : {}),
  scale: field.scale ?? null,
});
