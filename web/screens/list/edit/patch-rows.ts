// Puts a value into the rows of a list that are on the screen, before or after the service has saved it. Pure.
import type { ListPage, ListRow } from "../../../../client/lists/lists.ts";

export interface CellValue {
  readonly value: string | null;
  /** What a reference is called. */
  readonly text?: string | null | undefined;
}

/** The same page where the record is not on it. */
export function patchPage(page: ListPage, id: string, column: string, { value, text }: CellValue): ListPage {
  const index = page.rows.findIndex((row) => row[page.idColumn] === id);
  const found = page.rows[index];
  const header = page.header.find((each) => each.column_name === column);
  if (found === undefined || header === undefined) return page;
  const alias = header.alias !== undefined && text !== undefined ? { [header.alias]: text } : {};
  const row: ListRow = { ...found, [column]: value, ...alias };
  return { ...page, rows: page.rows.with(index, row) };
}
