// Takes wire values by field; gives column texts ready to write, or every error by field. Only field types convert.
import { about, type Message, say } from "../../../contract/messages.ts";
import type { ParseContext, RowValue } from "../../fields/field-type.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";

export type ColumnValues = Record<string, RowValue>;

export interface RowValues {
  readonly columns: ColumnValues;
  /** `<controller>.<field>` → what is wrong; empty when all is well. */
  readonly errors: Record<string, Message[]>;
}

export function rowValues(type: RecordType, wire: Readonly<Record<string, unknown>>, context: ParseContext): RowValues {
  const columns: ColumnValues = {};
  const errors: Record<string, Message[]> = {};
  for (const [name, value] of Object.entries(wire)) {
    const field = type.field.get(name);
    if (!field) {
      errors[`${type.alias}.${name}`] = [say("unknown_field", { field: name })];
      continue;
    }
    const parsed = typeOf(field).parse(value, field, context);
    if (!parsed.ok) {
      errors[`${type.alias}.${name}`] = parsed.errors.map((error) => about(field.label, error));
      continue;
    }
    (type.columns.get(name) ?? []).forEach((column, index) => {
      columns[column.name] = parsed.row[index] ?? null;
    });
  }
  return { columns, errors };
}
