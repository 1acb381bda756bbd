// One row of the table; a skeleton while it is on its way. Plain elements, drawn again only when they change.
// biome-ignore-all lint/a11y/useSemanticElements: table elements cannot draw a window onto a million rows
// biome-ignore-all lint/a11y/useFocusableInteractive: the tab stop is one cell of the grid, not each row
import { memo, type ReactNode } from "react";
import type { ListRow } from "../../../../client/lists/lists.ts";
import { fieldValue } from "../../../fields/field-value.ts";
import type { ShownValue } from "../../../fields/showing/shown-value.ts";
import { Face } from "../../../parts/layout/face.tsx";
import type { Column } from "../columns/columns.ts";
import type { OpenCell } from "../edit/open-cell.ts";
import type { CellValue } from "../edit/patch-rows.ts";
import { tintOf } from "../look/tint.ts";
import type { RowLook } from "../look/use-row-look.ts";
import ranges from "../range/range.module.css";
import { SelectCell } from "../selection/select-cell.tsx";
import { pinOf } from "./pin-of.ts";
import classes from "./table.module.css";
import type { RowWords } from "./use-row-words.ts";

interface TableRowProps {
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly look: RowLook;
  readonly row: ListRow | undefined;
  readonly columns: readonly Column[];
  /** The cell that is the tab stop; -1 where it is in another row. */
  readonly stop: number;
  readonly chosen: boolean;
  /** The cell that is edited, or says why it is not; -1 for none. */
  readonly active: number;
  /** What stands in that cell. */
  readonly editor: ReactNode;
  /** The first and the last cell of the row that are in the range; -1 for none. */
  readonly from: number;
  readonly to: number;
  /** Which ends of the range the row is at. */
  readonly edge: "" | "t" | "b" | "t b";
  /** Cells that could not be saved. */
  readonly held: readonly OpenCell[] | undefined;
  /** Undefined where rows are not selected. */
  readonly selected: boolean | undefined;
  /** What its record is called. */
  readonly name: string;
  /** Where the record is; rows of groups have no record. */
  readonly href: string | undefined;
  readonly words: RowWords;
}

export const TableRow = memo(function TableRow(props: TableRowProps) {
  const {
    index,
    top,
    height,
    look,
    row,
    columns,
    stop,
    chosen,
    active,
    editor,
    from,
    to,
    edge,
    held,
    selected,
    name,
    href,
    words,
  } = props;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-busy={row === undefined || undefined}
      className={classes.row}
      data-row={index}
      data-odd={index % 2 === 1 || undefined}
      data-chosen={chosen || selected || undefined}
      aria-selected={selected}
      data-opens={href !== undefined || undefined}
      data-active={active >= 0 || undefined}
      data-tint={look.paint?.row}
      style={{ transform: `translateY(${top}px)`, height, ...tintOf(look.paint?.row) }}
    >
      {selected !== undefined && <SelectCell role="gridcell" label={words.select(name)} checked={selected} />}
      {columns.map((column, position) => {
        const kept = held?.find((cell) => cell.column.name === column.name);
        const shown = kept ? shownOf(kept.typed) : row && column.shown(row);
        const inRange = position >= from && position <= to;
        const isOverdue = look.overdue.includes(column.name);
        const tint = look.paint?.cells[column.name];
        const pin = pinOf(columns, position);
        const content = shown && fieldValue(column.field, shown, words.formats, words, -1);
        return (
          <div
            key={column.key}
            role="gridcell"
            aria-colindex={position + (selected === undefined ? 1 : 2)}
            data-place={`${index}:${position}`}
            tabIndex={position === stop ? 0 : -1}
            className={inRange ? `${classes.cell} ${ranges.range}` : classes.cell}
            data-end={column.isNumeric || undefined}
            data-opens={column.opens || undefined}
            data-active={position === active || undefined}
            data-range={inRange ? `${edge} ${position === from ? "s" : ""} ${position === to ? "e" : ""}` : undefined}
            aria-selected={inRange || undefined}
            aria-invalid={kept ? true : undefined}
            title={kept && words.notSaved(kept.errors)}
            data-tint={tint}
            data-overdue={isOverdue || undefined}
            {...pin}
            style={{ ...pin?.style, ...tintOf(tint) }}
          >
            {isOverdue && <span className="visually-hidden">{words.overdue} </span>}
            {row === undefined ? (
              <i className={classes.skeletonCell} style={{ width: `${44 + ((index * 37 + position * 53) % 40)}%` }} />
            ) : column.opens && href !== undefined ? (
              <a href={href} tabIndex={-1} className={classes.opens} data-record>
                {column.face && <Face name={name} shape={column.face} />}
                {content ?? words.unnamed}
              </a>
            ) : (
              content
            )}
            {position === active && editor}
          </div>
        );
      })}
    </div>
  );
});

const shownOf = ({ value, text }: CellValue): ShownValue | undefined => (value === null ? undefined : { value, text });
