// What the table of fields says about a field beyond its type, and how it is found.

import type { SchemaField } from "../../../client/design/record-types.ts";
import { permission } from "../../../contract/permissions.ts";

export type FieldProperty = "required" | "read_only" | "searchable" | "sortable";

export function fieldProperties(field: SchemaField): readonly FieldProperty[] {
  const properties: FieldProperty[] = [];
  if (field.required) properties.push("required");
  if (field.permission === permission.VIEW) properties.push("read_only");
  if (field.searchable) properties.push("searchable");
  if (field.sortable) properties.push("sortable");
  return properties;
}

const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

/** Every word must occur somewhere, case and accents ignored, as in the service's own search. */
export function matchesText(text: string, places: readonly string[]): boolean {
  const all = plain(places.join("\u001f"));
  return plain(text)
    .split(/\s+/)
    .every((word) => all.includes(word));
}
