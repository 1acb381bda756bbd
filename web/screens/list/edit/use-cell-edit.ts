// Editing a cell where it stands. What is chosen shows at once; the toast offers the way back. What the service refuses
// opens the cell again with what was typed and why, or is kept there while another cell is edited; where somebody else saved
// first, both values are there to choose.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListPage, ListRow } from "../../../../client/lists/lists.ts";
import { conflictOf, revisionOf } from "../../../../client/records/conflict.ts";
import type { RecordView, WireValue } from "../../../../client/records/records.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { showUndo, showWarning } from "../../../parts/toasts.tsx";
import { valuesOf } from "../../../parts/undo/put-back.ts";
import { forgetRecords, recordQuery } from "../../../queries.ts";
import { client, ownWrites } from "../../../session/session.ts";
import { actionsOf } from "../../record/form/form-rules.ts";
import type { Column } from "../columns/columns.ts";
import type { Place } from "../table/use-roving.ts";
import { cellHeld, holdCell, releaseCell } from "./held-cells.ts";
import type { OpenCell } from "./open-cell.ts";
import { type CellValue, patchPage } from "./patch-rows.ts";
import { type WhyNot, whyNot } from "./why-not.ts";

export interface CellEdit {
  readonly open: OpenCell | undefined;
  /** A cell that cannot be edited, and why. */
  readonly refused: { readonly place: Place; readonly column: Column; readonly why: WhyNot } | undefined;
  /** True where the cell can be edited. */
  start(place: Place, column: Column | undefined, row: ListRow | undefined): boolean;
  /** Saves a value without opening the cell; true where the cell can be edited. */
  put(place: Place, column: Column | undefined, row: ListRow | undefined, typed: CellValue): boolean;
  /** Saves once more what could not be saved. */
  retry(cell: OpenCell): void;
  type(typed: CellValue): void;
  commit(typed?: CellValue): void;
  cancel(): void;
  /** To the row where its record stands by now; undefined where that is nowhere: then what was typed is saved. */
  follow(row: number | undefined): void;
  /** Of a conflict: mine is saved over theirs, or theirs stays. */
  resolve(take: "mine" | "theirs"): void;
}

interface EditParts {
  readonly recordTypeKey: string;
  readonly idColumn: string;
  readonly isGrouped: boolean;
}

const plain = (value: WireValue | undefined): string | null =>
  typeof value === "string" && value !== "" ? value : null;

export function useCellEdit({ recordTypeKey, idColumn, isGrouped }: EditParts): CellEdit {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<OpenCell>();
  const latest = useRef(open);
  latest.current = open;
  /** Who goes on elsewhere leaves behind what could not be saved, not what was typed. */
  const keepRefused = useRef(() => {});
  keepRefused.current = () => {
    const cell = latest.current;
    if (cell && (cell.errors.length > 0 || cell.theirs)) holdCell(recordTypeKey, cell);
  };
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
      keepRefused.current();
    };
  }, []);
  const [refused, setRefused] = useState<CellEdit["refused"]>();
  const recordOf = (id: string): Promise<RecordView> =>
    queryClient.fetchQuery({ ...recordQuery(recordTypeKey, "edit", id), staleTime: 5_000 });
  const show = (id: string, column: string, value: CellValue): void =>
    void queryClient.setQueriesData<ListPage>(
      { queryKey: ["list", recordTypeKey], predicate: ({ state }) => isPage(state.data) },
      (page) => page && patchPage(page, id, column, value),
    );

  const save = async (cell: OpenCell, revision: string | undefined, isMerge: boolean): Promise<void> => {
    const { id, column, field, typed, before } = cell;
    const fail = (changes: Partial<OpenCell>): void => {
      show(id, column.name, before);
      // Who is editing another cell by now is not thrown out of it: what was typed here is kept, and told.
      if (latest.current === undefined && isHere.current) setOpen({ ...cell, ...changes });
      else holdCell(recordTypeKey, { ...cell, ...changes });
    };
    show(id, column.name, typed);
    try {
      const edited = await recordOf(id);
      const record = edited.data[edited.alias] ?? {};
      const stored = plain(record[field.name] as WireValue | undefined);
      // The list was older than the record: somebody else was first.
      if (revision === undefined && stored !== before.value && stored !== typed.value) {
        const text = plain(record[`__${field.name}`] as WireValue | undefined);
        return fail({ theirs: { value: stored, text, revision: revisionOf(record) } });
      }
      const [action] = actionsOf(edited.form);
      if (action === undefined) return fail({ errors: [t("edit.why.record")] });
      const values = { [field.name]: typed.value };
      const request = { alias: edited.alias, id, revision: revision ?? revisionOf(record), values, action };
      const saved = await client.records.saveRecord(recordTypeKey, request);
      const stays = saved.data[saved.alias] ?? {};
      const place = { kind: "edit", key: recordTypeKey, alias: saved.alias, id, revision: revisionOf(stays) } as const;
      const undo = { ...place, values: { [field.name]: before.value }, wrote: valuesOf(stays, [field.name]) };
      showUndo(t, t("edit.saved", { label: column.label }), undo, {
        name: saved.name ?? cell.name,
        preview: () => show(id, column.name, before),
      });
      await forgetRecords(queryClient, recordTypeKey);
    } catch (error) {
      await queryClient.invalidateQueries({ queryKey: ["record", recordTypeKey] });
      const edited = queryClient.getQueryData(recordQuery(recordTypeKey, "edit", id).queryKey);
      const conflict = edited && conflictOf(error, edited.alias);
      if (!conflict) return fail({ errors: errorsOf(error, field.name) });
      const stored = plain(conflict.current[field.name] as WireValue | undefined);
      const theirRevision = revisionOf(conflict.current);
      // Somebody changed other fields only: both changes go together.
      if (stored === before.value && !isMerge) return save(cell, theirRevision, true);
      const text = plain(conflict.current[`__${field.name}`] as WireValue | undefined);
      fail({ theirs: { value: stored, text, revision: theirRevision } });
    }
  };

  const begin = (cell: OpenCell): void =>
    ownWrites.during(
      save({ ...cell, errors: [] }, undefined, false).catch((error: Error) => showWarning(error.message)),
    );

  /** The cell as it is shown; undefined, and said why, where it cannot be edited. */
  const cellAt = (place: Place, column: Column | undefined, row: ListRow | undefined): OpenCell | undefined => {
    const id = row?.[idColumn];
    if (column === undefined || row === undefined) return undefined;
    const why = whyNot(column, row, isGrouped);
    if (why !== undefined || typeof id !== "string" || column.own === undefined) {
      setRefused(why && { place, column, why });
      return undefined;
    }
    // On its way while one types.
    recordOf(id).catch(() => undefined);
    const shown = column.shown(row);
    const before: CellValue = { value: shown?.value ?? null, text: shown?.text ?? null };
    setRefused(undefined);
    const name = typeof row.record_display_name === "string" ? row.record_display_name : id;
    return { place, id, name, column, field: column.own, before, typed: before, errors: [], theirs: undefined };
  };

  const commit = (given?: CellValue): void => {
    if (open === undefined || open.theirs !== undefined) return;
    const cell = given === undefined ? open : { ...open, typed: given };
    setOpen(undefined);
    if (cell.typed.value !== cell.before.value) begin(cell);
  };

  return {
    open,
    refused,
    start: (place, column, row) => {
      const cell = cellAt(place, column, row);
      if (cell === undefined) return false;
      keepRefused.current();
      // One that could not be saved goes on with what was typed there.
      const kept = cellHeld(recordTypeKey, cell.id, cell.column.name);
      if (kept) releaseCell(recordTypeKey, kept);
      setOpen(kept ? { ...cell, typed: kept.typed, errors: kept.errors, theirs: kept.theirs } : cell);
      return true;
    },
    put: (place, column, row, typed) => {
      const cell = cellAt(place, column, row);
      if (cell === undefined) return false;
      if (typed.value === null && cell.field.required) setRefused({ place, column: cell.column, why: "required" });
      else if (typed.value !== cell.before.value) begin({ ...cell, typed });
      return true;
    },
    retry: (cell) => {
      releaseCell(recordTypeKey, cell);
      begin(cell);
    },
    type: (typed) => open && setOpen({ ...open, typed, errors: [] }),
    commit,
    follow: (row) => {
      if (open && row !== undefined) return setOpen({ ...open, place: { ...open.place, row } });
      setRefused(refused && row !== undefined ? { ...refused, place: { ...refused.place, row } } : undefined);
      if (open === undefined) return;
      keepRefused.current();
      if (open.errors.length > 0 || open.theirs) setOpen(undefined);
      else commit();
    },
    cancel: () => {
      setOpen(undefined);
      setRefused(undefined);
    },
    resolve: (take) => {
      if (open?.theirs === undefined) return;
      const { theirs, ...cell } = open;
      setOpen(undefined);
      if (take === "mine") {
        const again = { ...cell, before: theirs, theirs: undefined };
        ownWrites.during(save(again, theirs.revision, true).catch((error: Error) => showWarning(error.message)));
      } else {
        show(cell.id, cell.column.name, theirs);
        void forgetRecords(queryClient, recordTypeKey);
      }
    },
  };
}

const isPage = (data: unknown): data is ListPage =>
  typeof data === "object" && data !== null && "rows" in data && "idColumn" in data;

function errorsOf(error: unknown, field: string): readonly string[] {
  if (!(error instanceof WireFailure)) return [error instanceof Error ? error.message : String(error)];
  const own = Object.entries(error.byField).find(([name]) => name.endsWith(`.${field}`))?.[1];
  return own ?? Object.values(error.byField)[0] ?? error.errors;
}
