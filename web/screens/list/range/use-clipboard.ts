// Takes cells of the table along and brings cells in: the range, or the cell that has the focus. One cell is saved at once;
// what fills several is shown first.
import { useQueryClient } from "@tanstack/react-query";
import { type ClipboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import type { ListPage, ListRow } from "../../../../client/lists/lists.ts";
import { readText } from "../../../fields/field-value.ts";
import { useFormats } from "../../../fields/formats.ts";
import { copyText } from "../../../parts/controls/copy-text.ts";
import { showDone, showWarning } from "../../../parts/toasts.tsx";
import type { Column } from "../columns/columns.ts";
import type { CellEdit } from "../edit/use-cell-edit.ts";
import type { PasteRequest } from "../paste/paste-dialog.tsx";
import { useImportRows } from "../paste/use-import-rows.ts";
import { useReader } from "../paste/use-reader.ts";
import type { Place } from "../table/use-roving.ts";
import { type CarriedCell, carry, OWN_KIND, readOwn, valueFor } from "./carried-cell.ts";
import { type Block, fillRoom, readBlock, writeBlock } from "./cell-block.ts";
import { type RowsOf, rowsAtHand, rowsBetween } from "./range-rows.ts";
import { type CellRange, sizeOf } from "./use-range.ts";

const MOST_COPIED = 10_000;
const MOST_PASTED = 5_000;
/** Of who may not change many records at once: each is a call of its own. */
const MOST_ONE_BY_ONE = 200;

interface ClipboardParts {
  readonly schema: RecordTypeSchema;
  readonly rowsOf: RowsOf;
  readonly head: ListPage;
  readonly columns: readonly Column[];
  readonly place: Place;
  readonly range: CellRange | undefined;
  readonly rowAt: (index: number) => ListRow | undefined;
  readonly edit: CellEdit;
  readonly mayBulk: boolean;
  readonly mayImport: boolean;
}

export interface Clipboard {
  readonly request: PasteRequest | undefined;
  closeRequest(): void;
  onCopy(event: ClipboardEvent): void;
  onPaste(event: ClipboardEvent): void;
  /** Empties the cells. */
  clear(): void;
}

const isInput = (target: EventTarget): boolean =>
  target instanceof Element && target.closest("input, textarea, [contenteditable=true]") !== null;

export function useClipboard(parts: ClipboardParts): Clipboard {
  const { rowsOf, head, columns, place, range, rowAt, edit, mayBulk, mayImport } = parts;
  const { t } = useTranslation();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const reader = useReader();
  const [request, setRequest] = useState<PasteRequest>();
  const importRows = useImportRows(parts.schema);
  const area: CellRange = range ?? { top: place.row, bottom: place.row, left: place.column, right: place.column };
  const isGrouped = head.group.length > 0;

  const blockOf = (rows: readonly ListRow[]): Block<CarriedCell> =>
    rows.map((row) => columns.slice(area.left, area.right + 1).map((column) => carry(column, row, reader)));
  const tell = (block: Block<CarriedCell>): void => {
    const count = block.length * (block[0]?.length ?? 0);
    if (count > 1) showDone(t("table.copied", { count, replace: { count: formats.count(count) } }));
  };
  const textOf = (block: Block<CarriedCell>): string => writeBlock(block.map((line) => line.map(({ text }) => text)));
  const tooMany = (most: number): void => showWarning(t("table.too_many", { most: formats.count(most) }));

  const copyLater = async (): Promise<void> => {
    const block = blockOf(await rowsBetween(queryClient, rowsOf, area.top, area.bottom));
    if (await copyText(textOf(block))) tell(block);
    else showWarning(t("table.copy_failed"));
  };

  /** More rows than the list has are imported; what else goes past its end is left out, and told. */
  const ask = (kind: PasteRequest["kind"], block: Block<CarriedCell>): void => {
    const rows = Math.min(block.length, rowsOf.lines.roomBelow(area.top));
    const width = Math.min(block[0]?.length ?? 0, columns.length - area.left);
    const most = mayBulk ? MOST_PASTED : MOST_ONE_BY_ONE;
    const importAll = (): void =>
      importRows(
        block.map((line) => line.map(({ text }) => text)),
        columns.slice(area.left).map(({ label }) => label),
      );
    const mayImportAll = mayImport && kind === "paste";
    if (mayImportAll && (block.length > head.total || rows > most)) {
      importAll();
      return;
    }
    if (rows > most) {
      tooMany(most);
      return;
    }
    // On the head of a section there is nothing to change.
    if (rows === 0) return;
    setRequest({
      kind,
      rowsOf,
      idColumn: head.idColumn,
      columns: columns.slice(area.left, area.left + width),
      first: area.top,
      block: block.slice(0, rows).map((line) => line.slice(0, width)),
      rowsLeft: block.length - rows,
      columnsLeft: (block[0]?.length ?? 0) - width,
      mayBulk,
      importAll: mayImportAll ? importAll : undefined,
    });
  };

  /** A single value into a single cell is no other thing than typing it; what must be looked up is shown first. */
  const putOne = (cell: CarriedCell): boolean => {
    const column = columns[area.left];
    const row = rowAt(area.top);
    if (column === undefined || row === undefined) return true;
    const field = column.own;
    const reading = field && (valueFor(field, cell) ?? readText(field, cell.text, reader));
    if (reading && !("value" in reading)) return false;
    edit.put({ row: area.top, column: area.left }, column, row, reading ?? { value: null });
    return true;
  };

  const bring = (kind: PasteRequest["kind"], block: Block<CarriedCell>): void => {
    if (isGrouped) {
      edit.start(place, columns[place.column], rowAt(place.row));
      return;
    }
    const [[only] = []] = block;
    const isOne = block.length === 1 && block[0]?.length === 1 && range === undefined;
    if (isOne && only && putOne(only)) return;
    ask(kind, block);
  };

  return {
    request,
    closeRequest: () => setRequest(undefined),
    onCopy: (event) => {
      const isText = range === undefined && (getSelection()?.toString() ?? "") !== "";
      if (isInput(event.target) || isText || area.top < 0) return;
      event.preventDefault();
      if (area.bottom - area.top >= MOST_COPIED) {
        tooMany(MOST_COPIED);
        return;
      }
      const rows = rowsAtHand(queryClient, rowsOf, area.top, area.bottom);
      if (rows === undefined) {
        copyLater().catch((error: Error) => showWarning(error.message));
        return;
      }
      const block = blockOf(rows);
      event.clipboardData.setData("text/plain", textOf(block));
      event.clipboardData.setData(OWN_KIND, JSON.stringify(block));
      tell(block);
    },
    onPaste: (event) => {
      if (isInput(event.target) || area.top < 0) return;
      const { clipboardData: data } = event;
      const own = readOwn(data.getData(OWN_KIND));
      const isPlain = !data.types.includes("text/html");
      const block = own ?? readBlock(data.getData("text/plain"), isPlain).map((line) => line.map((text) => ({ text })));
      event.preventDefault();
      if (block.length === 0) return;
      const { rows, columns: width } = sizeOf(area);
      bring("paste", range === undefined ? block : fillRoom(block, rows, width));
    },
    clear: () => {
      const { rows, columns: width } = sizeOf(area);
      if (area.top >= 0) bring("clear", fillRoom([[{ text: "" }]], rows, width));
    },
  };
}
