// The columns of a list as its draft has them, before the service has answered: those that it told of last, in the order
// and choice of the draft. Pure.
import type { ListDraft } from "../../../../client/lists/list-draft.ts";
import type { ListHeader } from "../../../../client/lists/lists.ts";

/** What is known of a column that the service has not told of yet. */
export type ExpectedColumn = Pick<ListHeader, "expression" | "column_name" | "visible" | "pinned"> & {
  /** Undefined until it is told. */
  readonly label: string | undefined;
};

type Told = readonly (ExpectedColumn & Pick<ListHeader, "label">)[];

export function expectedHeader({ fields, columns }: ListDraft, told: Told): readonly ExpectedColumn[] {
  const known = new Map(told.map((each) => [each.expression, each]));
  // A view may name its columns in another way than the service tells them: then what was told is all there is.
  if (fields === undefined || !fields.some((field) => known.has(field))) return told;
  return fields.map((expression): ExpectedColumn => {
    const [column = expression] = expression.split(/ as /i);
    const found = known.get(expression) ?? {
      expression,
      column_name: column,
      visible: 1,
      pinned: "0",
      label: undefined,
    };
    const look = columns?.[found.column_name];
    return {
      ...found,
      visible: look?.is_invisible === undefined ? found.visible : look.is_invisible === "1" ? 0 : 1,
      pinned: look?.pinned ?? found.pinned,
    };
  });
}
