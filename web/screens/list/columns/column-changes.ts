// Changes to the columns of a view, as changes to its query: order, hiding and showing, pins, totals. Pure.
import type { ColumnLook, ListDraft } from "../../../../client/lists/list-draft.ts";
import type { ListHeader } from "../../../../client/lists/lists.ts";

type Header = readonly Pick<ListHeader, "expression" | "column_name" | "visible">[];

const shownOf = (header: Header) => header.filter(({ visible }) => visible !== 0).map(({ expression }) => expression);
const hiddenOf = (header: Header) => header.filter(({ visible }) => visible === 0).map(({ expression }) => expression);

/** Puts a column before another, or at the end. */
export function moveColumn(draft: ListDraft, header: Header, moved: string, before: string | undefined): ListDraft {
  const others = shownOf(header).filter((each) => each !== moved);
  const found = before === undefined ? -1 : others.indexOf(before);
  const at = found < 0 ? others.length : found;
  return { ...draft, fields: [...others.slice(0, at), moved, ...others.slice(at), ...hiddenOf(header)] };
}

/** The last column that is left stays. */
export function hideColumn(draft: ListDraft, header: Header, hidden: string): ListDraft {
  const fields = shownOf(header).filter((each) => each !== hidden);
  return fields.length === 0 ? draft : { ...draft, fields: [...fields, ...hiddenOf(header)] };
}

/** At the end; one that was there unseen comes into sight. */
export function showColumn(draft: ListDraft, header: Header, column: string): ListDraft {
  const unseen = header.find((each) => each.column_name === column && each.visible === 0);
  const expression = unseen?.expression ?? column;
  const hidden = hiddenOf(header).filter((each) => each !== expression);
  const fields = [...shownOf(header).filter((each) => each !== expression), expression, ...hidden];
  return unseen ? lookOf({ ...draft, fields }, column, { is_invisible: "0" }) : { ...draft, fields };
}

/** Changes how a column is shown. */
export function lookOf(draft: ListDraft, column: string, look: ColumnLook): ListDraft {
  return { ...draft, columns: { ...draft.columns, [column]: { ...draft.columns?.[column], ...look } } };
}
