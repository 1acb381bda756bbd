// Takes rows that hold rows of their own; gives them as a table does: a record with three children is three lines, its own
// values in the first of them, and its id in each, by which an import puts them together again.
import { z } from "zod";
import { storedJson } from "../../database/stored-json.ts";
import type { TextRows } from "../../database/text-rows.ts";
import type { ExportChildren, ExportColumn } from "./export-table.ts";

type Cells = readonly (string | null)[];

const textsSchema = z.array(z.array(z.string().nullable()));

export const childTexts = (text: string | null): readonly Cells[] =>
  text === null ? [] : storedJson(textsSchema, text, "the children of an export");

export const titlesOf = (columns: readonly ExportColumn[], children: readonly ExportChildren[]): readonly string[] =>
  [...columns, ...children.flatMap((one) => one.columns)].map(({ title }) => title);

const shown = (text: string | null, display: ExportColumn["display"]): string | null =>
  text === null || !display ? text : display(text);

export async function* withChildRows(
  columns: readonly ExportColumn[],
  children: readonly ExportChildren[],
  batches: AsyncIterable<TextRows>,
): AsyncGenerator<Cells[], void> {
  for await (const rows of batches) {
    const lines: Cells[] = [];
    for (let row = 0; row < rows.length; row += 1) {
      const own = columns.map(({ at, display }) => shown(rows.text(row, at), display));
      const again = columns.map(({ isId }, index) => (isId ? (own[index] ?? null) : null));
      const brought = children.map(({ at }) => childTexts(rows.text(row, at)));
      const count = Math.max(1, ...brought.map(({ length }) => length));
      for (let number = 0; number < count; number += 1) {
        const cells = children.flatMap((one, index) =>
          one.columns.map(({ at, display }) => shown(brought[index]?.[number]?.[at] ?? null, display)),
        );
        lines.push([...(number === 0 ? own : again), ...cells]);
      }
    }
    yield lines;
  }
}
