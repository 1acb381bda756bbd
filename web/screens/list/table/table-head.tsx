// The head of the table: labels that sort, edges that resize (by pointer, or with Alt and an arrow key), columns that are
// dragged (or moved with Alt, Shift and an arrow key), and a menu for each.
// biome-ignore-all lint/a11y/useSemanticElements: table elements cannot draw a window onto a million rows
// biome-ignore-all lint/a11y/useFocusableInteractive: the tab stop is one cell of the grid, not each row
import { IconArrowDown, IconArrowUp, IconChevronDown } from "@tabler/icons-react";
import { memo, type PointerEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { lazyPart } from "../../../parts/loading/lazy-part.tsx";
import type { Column } from "../columns/columns.ts";
import type { ColumnActions, Sorting } from "../columns/head-actions.ts";
import { useColumnDrag } from "../columns/use-column-drag.ts";
import type { ColumnWidths } from "../columns/use-column-widths.ts";
import { SelectCell } from "../selection/select-cell.tsx";
import { pinOf } from "./pin-of.ts";
import classes from "./table.module.css";

const ColumnMenu = lazyPart(async () => (await import("../columns/column-menu.tsx")).ColumnMenu);

interface TableHeadProps {
  readonly columns: readonly Column[];
  readonly widths: ColumnWidths;
  readonly sorting: Sorting | undefined;
  /** The column that is the tab stop. */
  readonly stop: number;
  readonly actions: ColumnActions | undefined;
  /** The rows in sight: all of them selected, some, or none; undefined where rows are not selected. */
  readonly selected: "all" | "some" | "none" | undefined;
  readonly onSort: (column: Column, descending?: boolean) => void;
}

/** Drawn again only when it changes: a table is drawn with every key and every row that is scrolled by. */
export const TableHead = memo(function TableHead(props: TableHeadProps) {
  const { columns, widths, sorting, stop, actions, selected, onSort } = props;
  const { t } = useTranslation();
  const resize = t("list.resize");
  const [open, setOpen] = useState<string>();
  const row = useRef<HTMLDivElement>(null);
  const mark = useColumnDrag(row, columns, actions);
  return (
    <div role="rowgroup" className={classes.head}>
      <div role="row" aria-rowindex={1} className={classes.row} ref={row}>
        {selected !== undefined && (
          <SelectCell
            role="columnheader"
            label={t("bulk.select_rows")}
            checked={selected === "all"}
            mixed={selected === "some"}
          />
        )}
        {columns.map((column, index) => {
          const sorted = column.sort !== undefined && sorting?.column === column.sort ? sorting : undefined;
          const stopProps = { "data-place": `-1:${index}`, tabIndex: index === stop ? 0 : -1 };
          const SortIcon = sorted?.descending ? IconArrowDown : IconArrowUp;
          return (
            <div
              key={column.key}
              role="columnheader"
              aria-colindex={index + (selected === undefined ? 1 : 2)}
              aria-sort={sorted ? (sorted.descending ? "descending" : "ascending") : undefined}
              className={classes.headCell}
              data-end={column.isNumeric || undefined}
              {...pinOf(columns, index)}
              data-drop={mark?.key === column.key ? mark.edge : undefined}
              data-column={column.key}
              onContextMenu={(event) => {
                if (actions === undefined) return;
                event.preventDefault();
                setOpen(column.key);
              }}
              onKeyDown={(event) => {
                if (actions === undefined || event.key !== "ArrowDown" || !event.altKey) return;
                event.preventDefault();
                event.stopPropagation();
                setOpen(column.key);
              }}
            >
              {column.sort === undefined ? (
                <span className={classes.headLabel} {...stopProps}>
                  <span>{column.label}</span>
                </span>
              ) : (
                <button type="button" className={classes.headLabel} {...stopProps} onClick={() => onSort(column)}>
                  <span>{column.label}</span>
                  {sorted && <SortIcon size={13} stroke={2} aria-hidden="true" />}
                </button>
              )}
              {actions && (
                <button
                  type="button"
                  tabIndex={-1}
                  className={classes.headMenu}
                  aria-label={t("columns.menu", { label: column.label })}
                  aria-haspopup="menu"
                  data-open={open === column.key || undefined}
                  onClick={() => setOpen(open === column.key ? undefined : column.key)}
                >
                  <IconChevronDown size={13} stroke={2} aria-hidden="true" />
                </button>
              )}
              {actions && open === column.key && (
                <ColumnMenu
                  {...{ column, columns, actions, onSort }}
                  onClose={() => {
                    setOpen(undefined);
                    row.current?.querySelector<HTMLElement>(`[data-place="-1:${index}"]`)?.focus();
                  }}
                />
              )}
              <ResizeEdge column={column} widths={widths} title={resize} />
            </div>
          );
        })}
      </div>
    </div>
  );
});

interface ResizeEdgeProps {
  readonly column: Column;
  readonly widths: ColumnWidths;
  readonly title: string;
}

function ResizeEdge({ column, widths, title }: ResizeEdgeProps) {
  const drag = useRef<{ x: number; width: number; last: number; forward: number } | undefined>(undefined);
  const start = (event: PointerEvent<HTMLElement>): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const width = widths.widthOf(column);
    const forward = getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1;
    drag.current = { x: event.clientX, width, last: width, forward };
  };
  const move = (event: PointerEvent): void => {
    if (drag.current === undefined) return;
    drag.current.last = drag.current.width + (event.clientX - drag.current.x) * drag.current.forward;
    widths.preview(column, drag.current.last);
  };
  const end = (): void => {
    if (drag.current !== undefined && drag.current.last !== drag.current.width) widths.keep(column, drag.current.last);
    drag.current = undefined;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer; the keyboard resizes with Alt and an arrow
    <span
      className={classes.edge}
      title={title}
      data-resizes={column.label}
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => widths.keep(column, undefined)}
    />
  );
}
