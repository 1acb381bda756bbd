// Takes the columns of a list; gives the form from which a client builds a filter: an element per column that can be
// compared, with the name that q knows it by and the operators that its type has. Pure.
import { actorsValue } from "../plan/actors-column.ts";
import type { ColumnRef } from "../plan/column.ts";
import { valueTypeOf } from "../plan/value.ts";

interface FilterColumn {
  readonly ref: ColumnRef;
  readonly label: string;
  /** Whom the record waits for: told by its access set, compared with users. */
  readonly actors?: true;
}

/** The same columns, resolved once per caller and view, have the same form. */
const written = new WeakMap<readonly FilterColumn[], string>();

export const NO_FILTER_FORM = "[]";

/** As JSON text. */
export function filterForm(alias: string, columns: readonly FilterColumn[]): string {
  let text = written.get(columns);
  if (text === undefined) {
    const children = columns.flatMap((column) => elementOf(column) ?? []);
    const form = {
      name: `${alias}.filter`,
      __name: `${alias}.filter`,
      label: "Filter",
      template: "form",
      method: "filter",
      not_empty: "0",
      children,
    };
    text = children.length === 0 ? NO_FILTER_FORM : JSON.stringify(form);
    written.set(columns, text);
  }
  return text;
}

function elementOf({ ref, label, actors }: FilterColumn) {
  const { type, field } = actors ? actorsValue(ref) : valueTypeOf(ref);
  if (type.operators.length === 0) return undefined;
  const name = ref.name.split(".");
  return {
    name,
    __name: ref.name,
    label,
    template: type.input.template,
    method: type.input.method,
    /** What a person chooses by, and what stands for it in q. */
    text: label,
    value: ref.name,
    operators: type.operators,
    data_type: type.dataType,
    type: field.type,
    permission: 2,
    not_empty: "0",
    rules: [],
    roles: {},
    ...type.inputSettings?.(field),
  };
}
