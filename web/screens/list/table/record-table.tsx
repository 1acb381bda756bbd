// The table of a list: a virtual grid over any number of rows, with sorting, resizing, totals, ranges and the keyboard.
// biome-ignore-all lint/a11y/useSemanticElements: table elements cannot draw a window onto a million rows
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import type { ListDraft } from "../../../../client/lists/list-draft.ts";
import type { ListChoice, ListPage, ListRow } from "../../../../client/lists/lists.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { lazyPart } from "../../../parts/loading/lazy-part.tsx";
import type { Column } from "../columns/columns.ts";
import type { ColumnActions, Sorting } from "../columns/head-actions.ts";
import { useColumnWidths } from "../columns/use-column-widths.ts";
import { ActiveCell } from "../edit/active-cell.tsx";
import { releaseCell, useHeldCells } from "../edit/held-cells.ts";
import { HeldNotice } from "../edit/held-notice.tsx";
import type { OpenCell } from "../edit/open-cell.ts";
import { useCellEdit } from "../edit/use-cell-edit.ts";
import { rowPixels } from "../look/row-look.ts";
import { useRowLook } from "../look/use-row-look.ts";
import { idsBetween } from "../range/range-rows.ts";
import { useClipboard } from "../range/use-clipboard.ts";
import { useRange } from "../range/use-range.ts";
import { SectionHead } from "../sections/section-head.tsx";
import { type Sections, tableLines } from "../sections/use-sections.ts";
import { SELECT_WIDTH } from "../selection/select-cell.tsx";
import { useRowPicking } from "../selection/use-row-picking.ts";
import type { Selection } from "../selection/use-selection.ts";
import { sizesOf } from "./line-sizes.ts";
import { edgeOf, nameOf, placeOf } from "./places.ts";
import { HEAD_HEIGHT, ROW_HEIGHT, SECTION_HEIGHT } from "./scale.ts";
import classes from "./table.module.css";
import { TableHead } from "./table-head.tsx";
import { TableRow } from "./table-row.tsx";
import { TableTotals } from "./table-totals.tsx";
import { useFollowedRows } from "./use-followed-rows.ts";
import { useReshaping } from "./use-reshaping.ts";
import { useRoving } from "./use-roving.ts";
import type { RowHref } from "./use-row-href.ts";
import { useRowKeys } from "./use-row-keys.ts";
import { type RowWindow, useRowWindow } from "./use-row-window.ts";
import { useRowWords } from "./use-row-words.ts";
import { useRows } from "./use-rows.ts";
import { useTableCommands } from "./use-table-commands.ts";

const PasteDialog = lazyPart(async () => (await import("../paste/paste-dialog.tsx")).PasteDialog);

interface RecordTableProps {
  readonly schema: RecordTypeSchema;
  readonly label: string;
  readonly head: ListPage;
  /** What the rows belong to. */
  readonly choice: ListChoice;
  readonly columns: readonly Column[];
  /** How tall rows are, and which have a color. */
  readonly look: Pick<ListDraft, "row_height" | "colors">;
  /** Undefined where the rows stand in none. */
  readonly sections: Sections | undefined;
  readonly sorting: Sorting | undefined;
  /** Another choice is on its way. */
  readonly changing: boolean;
  readonly actions: ColumnActions | undefined;
  readonly onSort: (column: Column, descending?: boolean) => void;
  /** Where a row leads. */
  readonly hrefOf: RowHref;
  readonly onOpen: (href: string, row: number) => void;
  readonly onPeek: (id: string) => void;
  /** The record that is open beside the table. */
  readonly peeked: string | undefined;
  /** Undefined where rows cannot be selected. */
  readonly selection: Selection | undefined;
  /** What may be done with many records at once. */
  readonly many: { readonly mayBulk: boolean; readonly mayImport: boolean };
}

export function RecordTable(props: RecordTableProps) {
  const { head, columns, sections, hrefOf, onOpen, onPeek, peeked, selection } = props;
  const { key: recordTypeKey } = props.schema.recordType;
  const { t } = useTranslation();
  const words = useRowWords();
  const scroller = useRef<HTMLDivElement>(null);
  const widths = useColumnWidths(head.viewId, columns, scroller, selection ? SELECT_WIDTH : 0);
  const withTotals = columns.some((column) => column.total !== undefined);
  const opened = useRef<RowWindow>(undefined);
  const rowHeight = rowPixels[props.look.row_height ?? "normal"];
  const style: Readonly<Record<`--${string}`, string>> = { ...widths.style, "--row-height": `${rowHeight}px` };
  const lookOf = useRowLook(recordTypeKey, columns, props.look.colors);
  const all = sections?.all;
  const lines = useMemo(() => tableLines(all, head.total), [all, head.total]);
  const sizes = useMemo(() => sizesOf(lines, rowHeight, SECTION_HEIGHT), [lines, rowHeight]);
  const roving = useRoving({ table: scroller, rows: lines.count, columns: columns.length, shown: opened });
  const shown = useRowWindow(scroller, sizes, roving.place.row, HEAD_HEIGHT + (withTotals ? ROW_HEIGHT : 0));
  opened.current = shown;
  const rows = useRows(recordTypeKey, props.choice, lines, shown.first, shown.last);
  const rowsOf = { recordTypeKey, choice: props.choice, lines };

  const idOf = (row: ListRow | undefined): string | undefined => {
    const id = row?.[head.idColumn];
    return typeof id === "string" ? id : undefined;
  };

  const isGrouped = head.group.length > 0;
  const edit = useCellEdit({ recordTypeKey, idColumn: head.idColumn, isGrouped });
  const selecting = useRowPicking(selection, head.total, {
    idAt: (index) => (lines.at(index)?.kind === "head" ? "" : idOf(rows.rowAt(index))),
    readIds: (first, last, signal) => idsBetween(rowsOf, first, last, signal),
  });
  const held = useHeldCells(recordTypeKey);
  const ranging = useRange(placeOf);
  const { range } = ranging;
  const clipboard = useClipboard({
    ...{ schema: props.schema, rowsOf, head, columns, range, edit },
    place: roving.place,
    rowAt: rows.rowAt,
    ...props.many,
  });

  const idAt = (row: number): string | undefined => idOf(rows.rowAt(row));
  const find = useFollowedRows({
    rowsOf,
    idColumn: head.idColumn,
    table: scroller,
    idAt,
    shown,
    roving,
    edit,
    ranging,
  });

  const reshape = useReshaping({ columns, widths, actions: props.actions, roving });

  /** To another row, with the record beside the list. */
  const goTo = (row: number): void => {
    const next = roving.go({ row, column: roving.place.column });
    follow(next.row);
  };
  const follow = (row: number): void => {
    const id = idOf(rows.rowAt(row));
    if (peeked !== undefined && id !== undefined && row !== roving.place.row) onPeek(id);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (edit.refused) edit.cancel();
    if (reshape(event)) return;
    if (/^[X ]$/.test(event.key) && event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      selecting.pick(roving.place.row, range, true);
      return;
    }
    if (event.key === "a" && (event.ctrlKey || event.metaKey) && !event.altKey && lines.count > 0) {
      event.preventDefault();
      ranging.take({ row: 0, column: 0 }, { row: lines.count - 1, column: columns.length - 1 });
      return;
    }
    const from = roving.place;
    const to = roving.onKey(event);
    if (to === undefined) return;
    if (event.shiftKey) ranging.extend(from, to);
    else ranging.clear();
    follow(to.row);
  };

  const open = (row: ListRow, at = roving.place.row): void => {
    const href = hrefOf(row);
    if (href !== undefined) onOpen(href, at);
  };
  const begin = (row: ListRow, column: Column | undefined): void => void edit.start(roving.place, column, row);
  const onRow = (act: (row: ListRow, column: Column | undefined) => void) => (): void => {
    const row = roving.place.row < 0 ? undefined : rows.rowAt(roving.place.row);
    if (row) act(row, columns[roving.place.column]);
  };
  useTableCommands(scroller, {
    // Without the focus in the table, J and K begin in it.
    step: (by) => {
      if (lines.count === 0) return;
      const isIn = scroller.current?.contains(document.activeElement) ?? false;
      ranging.clear();
      goTo(isIn ? Math.max(0, roving.place.row + by) : roving.place.row);
    },
    // The name leads to the record; any other cell is edited where it stands.
    enter: onRow((row, column) => (isGrouped || column?.opens ? open(row) : begin(row, column))),
    edit: isGrouped ? undefined : onRow(begin),
    open: onRow((row) => open(row)),
    peek: onRow((row) => {
      const id = idOf(row);
      if (id !== undefined) onPeek(id);
    }),
    pick: selection && (() => selecting.pick(roving.place.row, range, false)),
    clear: isGrouped ? undefined : clipboard.clear,
    leave: range ? ranging.clear : selection && selection.count > 0 ? selection.clear : undefined,
    isDesigned: props.actions !== undefined,
  });

  // Whatever takes the focus is where the keyboard goes on from.
  const onFocus = (event: FocusEvent): void => {
    const place = placeOf(event.target);
    if (place === undefined) return;
    ranging.onFocus(place);
    if (place.row === roving.place.row && place.column === roving.place.column) return;
    if (edit.refused) edit.cancel();
    roving.settle(place);
  };

  const wasPulled = useRef(false);
  const onMouseDown = (event: MouseEvent): void => {
    wasPulled.current = false;
    const place = placeOf(event.target);
    const from = roving.place;
    ranging.onMouseDown(event, from);
    if (event.shiftKey && event.button === 0 && place && place.row >= 0) roving.go(place);
  };
  const onMouseOver = (event: MouseEvent): void => {
    const to = ranging.onMouseOver(event);
    if (to === undefined) return;
    wasPulled.current = true;
    roving.go(to);
  };

  const onClick = (event: MouseEvent): void => {
    const target = event.target as HTMLElement;
    const link = target.closest("a");
    if (selecting.onClick(event)) return;
    // The end of a range, by Shift or by pulling: no link is followed.
    if (event.shiftKey || range !== undefined) {
      if (placeOf(target) !== undefined && target.closest("[role=gridcell]")) event.preventDefault();
      if (event.shiftKey || wasPulled.current) return;
    }
    const cell = target.closest<HTMLElement>("[role=gridcell][data-place]")?.dataset.place;
    // The whole row of a group leads on, also where it has no cell.
    const place = cell ?? (isGrouped ? target.closest<HTMLElement>("[data-row]")?.dataset.row : undefined);
    if (place === undefined || event.button !== 0) return;
    const [row = 0, column = 0] = place.split(":").map(Number);
    roving.settle({ row, column });
    const elsewhere = event.metaKey || event.ctrlKey;
    const found = rows.rowAt(row);
    // A click chooses a cell; the name, and the row of a group, lead further.
    const leads = link === null ? isGrouped : link.dataset.record !== undefined;
    if (!leads || found === undefined || elsewhere || getSelection()?.toString()) return;
    event.preventDefault();
    open(found, row);
  };

  const onDoubleClick = (event: MouseEvent): void => {
    const place = placeOf(event.target);
    const row = place && place.row >= 0 ? rows.rowAt(place.row) : undefined;
    if (place && row && !isGrouped) edit.start(place, columns[place.column], row);
  };

  /** Back to the cell that was edited, or on to the next one that can be. */
  const leaveCell = (step: -1 | 0 | 1): void => {
    const { row, column } = edit.open?.place ?? roving.place;
    const next = { row, column: Math.max(0, Math.min(column + step, columns.length - 1)) };
    // The next input takes the focus itself.
    const goesOn = step !== 0 && next.column !== column && edit.start(next, columns[next.column], rows.rowAt(row));
    if (goesOn) roving.settle(next);
    else roving.go(next);
  };
  /** Of a cell that could not be saved, where it is in this list. */
  const editorOf = (cell: OpenCell): (() => void) | undefined => {
    const column = columns.findIndex(({ name }) => name === cell.column.name);
    const row = find(cell.id);
    if (column < 0 || row === undefined) return undefined;
    return () => {
      roving.go({ row, column });
      edit.start({ row, column }, columns[column], rows.rowAt(row));
    };
  };
  const active = edit.open ?? edit.refused;
  // By its record: the row may have moved since, and takes its input along.
  const activeRow = edit.open && idAt(edit.open.place.row) !== edit.open.id ? find(edit.open.id) : undefined;
  const keys = useRowKeys(shown.rows.map(({ index }) => ({ index, id: idAt(index) })));

  return (
    <div className={classes.frame}>
      {held.size > 0 && (
        <HeldNotice
          recordTypeKey={recordTypeKey}
          editorOf={editorOf}
          onRetry={edit.retry}
          onDiscard={(cell) => releaseCell(recordTypeKey, cell)}
        />
      )}
      <div
        ref={scroller}
        role="grid"
        aria-label={props.label}
        aria-rowcount={head.isExact ? lines.count + 1 : -1}
        aria-colcount={columns.length + (selection ? 1 : 0)}
        aria-multiselectable={selection ? true : undefined}
        aria-busy={props.changing}
        className={classes.scroller}
        data-changing={props.changing || undefined}
        data-totals={withTotals || undefined}
        data-height={props.look.row_height}
        style={style}
        data-ranging={range ? true : undefined}
        onKeyDown={onKeyDown}
        onMouseDown={onMouseDown}
        onMouseOver={onMouseOver}
        onCopy={clipboard.onCopy}
        onPaste={clipboard.onPaste}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        onFocus={onFocus}
      >
        <TableHead
          columns={columns}
          widths={widths}
          sorting={props.sorting}
          stop={roving.place.row < 0 ? roving.place.column : -1}
          actions={props.actions}
          selected={selecting.picked}
          onSort={props.onSort}
        />
        <div
          role="rowgroup"
          className={classes.canvas}
          data-active={active ? true : undefined}
          style={{ height: shown.height }}
        >
          {shown.rows.map(({ index, top }) => {
            const line = lines.at(index);
            if (line?.kind === "head" && sections) {
              return (
                <SectionHead
                  key={`${line.part.key} head`}
                  {...{ index, top, columns, sections }}
                  sectionKey={line.part.key}
                  height={SECTION_HEIGHT}
                  place={roving.place.column}
                  isStop={index === roving.place.row}
                  lead={selection !== undefined}
                />
              );
            }
            const row = rows.rowAt(index);
            const id = idOf(row);
            const isActive = active !== undefined && (activeRow ?? active.place.row) === index;
            const inRange = range !== undefined && index >= range.top && index <= range.bottom;
            return (
              <TableRow
                key={keys.get(index)}
                index={index}
                top={top}
                height={rowHeight}
                look={lookOf(row)}
                row={row}
                columns={columns}
                stop={index === roving.place.row ? roving.place.column : -1}
                chosen={id !== undefined && id === peeked}
                active={isActive ? active.place.column : -1}
                editor={isActive ? <ActiveCell edit={edit} onLeave={leaveCell} /> : undefined}
                from={inRange ? range.left : -1}
                to={inRange ? range.right : -1}
                edge={inRange ? edgeOf(range, index) : ""}
                held={id === undefined ? undefined : held.get(id)}
                selected={selection && id !== undefined && selection.has(id)}
                name={nameOf(row) ?? id ?? ""}
                href={hrefOf(row)}
                words={words}
              />
            );
          })}
        </div>
        {sections?.isCut && <p className={classes.cut}>{t("sections.cut", { count: sections.all.length })}</p>}
        {withTotals && <TableTotals columns={columns} rowIndex={lines.count + 2} lead={selection !== undefined} />}
      </div>
      {clipboard.request && <PasteDialog request={clipboard.request} close={clipboard.closeRequest} />}
      {rows.failed && (
        <div className={classes.failed}>
          <Notice tone="bad">
            {t("list.rows_failed")}{" "}
            <button type="button" onClick={rows.retry} className={classes.retry}>
              {t("actions.retry")}
            </button>
          </Notice>
        </div>
      )}
    </div>
  );
}
