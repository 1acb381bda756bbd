// The names of all field types, in the order in which a designer offers them. A new field type starts with its line here.

export const fieldTypeIds = [
  "short-text",
  "long-text",
  "integer",
  "decimal",
  "money",
  "percent",
  "rating",
  "flag",
  "date",
  "date-time",
  "choice",
  "multiple-choice",
  "reference",
  "email",
  "phone",
  "url",
  "address",
  "image",
  "file",
  "json",
  "auto-number",
  "geo-point",
] as const;

/** What a client must know of a field to show its values, by the field's type. */
export type FieldSettings = Readonly<Record<string, string | number>>;

export type FieldTypeId = (typeof fieldTypeIds)[number];
