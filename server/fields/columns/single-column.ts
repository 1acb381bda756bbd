// How a type whose one column already holds the wire text selects and presents it. Spread into the field type.
import type { RowValue } from "../field-type.ts";

export const singleColumn = {
  select: (field: { readonly name: string }, at: (column: string) => string): string => at(field.name),
  present: ([value]: readonly RowValue[]): RowValue => value ?? null,
};
