// The widths of a table's columns, kept per view in this browser. While a column is dragged only a style changes; the
// rows are not drawn again.
import { useLocalStorage } from "@mantine/hooks";
import { type RefObject, useMemo } from "react";
import { useSteady } from "../../../parts/use-steady.ts";
import { boundedWidth, type Column } from "./columns.ts";

export interface ColumnWidths {
  /** Custom properties: the template of the columns, where each pinned one stands, and how much they take together. */
  readonly style: Readonly<Record<`--${string}`, string>>;
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
  /** Pixels that something takes before the first column. */
  lead = 0,
): ColumnWidths {
  const [kept, setKept] = useLocalStorage<Readonly<Record<string, number>>>({
    key: `dossier.columns.${viewId}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const widthOf = (column: Column): number => kept[column.key] ?? column.width;
  const styleWith = (changed?: Column, width = 0): Record<`--${string}`, string> => {
    const sizes = columns.map((column) => (column === changed ? width : widthOf(column)));
    const style: Record<`--${string}`, string> = {
      "--columns": [...(lead > 0 ? [lead] : []), ...sizes].map((size) => `${size}px`).join(" "),
    };
    let start = lead;
    columns.forEach((column, index) => {
      if (!column.pinned) return;
      style[`--pin-${index}`] = `${start}px`;
      start += sizes[index] ?? 0;
    });
    return { ...style, "--pinned": `${start}px` };
  };
  const preview = useSteady((column: Column, width: number): void => {
    for (const [name, value] of Object.entries(styleWith(column, boundedWidth(width)))) {
      table.current?.style.setProperty(name, value);
    }
  });
  const keep = useSteady((column: Column, width: number | undefined): void => {
    const { [column.key]: _, ...others } = kept;
    setKept(width === undefined ? others : { ...others, [column.key]: boundedWidth(width) });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: all that the style is made of
  return useMemo(() => ({ style: styleWith(), widthOf, preview, keep }), [kept, columns, lead, preview, keep]);
}
