// The widths of a table's columns, kept per view in this browser. While a column is dragged only a style changes; the
// rows are not drawn again.
import { useLocalStorage } from "@mantine/hooks";
import type { RefObject } from "react";
import { boundedWidth, type Column } from "./columns.ts";

export interface ColumnWidths {
  /** For grid-template-columns. */
  readonly template: string;
  readonly first: number;
  widthOf(column: Column): number;
  /** Shows a width without keeping it. */
  preview(column: Column, width: number): void;
  /** Undefined: as the view has it. */
  keep(column: Column, width: number | undefined): void;
}

export function useColumnWidths(
  viewId: string,
  columns: readonly Column[],
  table: RefObject<HTMLDivElement | null>,
): ColumnWidths {
  const [kept, setKept] = useLocalStorage<Readonly<Record<string, number>>>({
    key: `dossier.columns.${viewId}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const widthOf = (column: Column): number => kept[column.key] ?? column.width;
  const templateWith = (changed?: Column, width = 0): string =>
    columns.map((column) => `${column === changed ? width : widthOf(column)}px`).join(" ");
  const [first] = columns;
  return {
    template: templateWith(),
    first: first ? widthOf(first) : 0,
    widthOf,
    preview: (column, width) =>
      table.current?.style.setProperty("--columns", templateWith(column, boundedWidth(width))),
    keep: (column, width) => {
      const { [column.key]: _, ...others } = kept;
      setKept(width === undefined ? others : { ...others, [column.key]: boundedWidth(width) });
    },
  };
}
