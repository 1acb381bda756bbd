// Cells whose save failed while another one was being edited: kept with what was typed and why it was not taken, until
// somebody goes on with them or lets them go. They outlive the table, so that no other view and no look elsewhere loses them.
import { useSyncExternalStore } from "react";
import { ownKey } from "../../../session/own-key.ts";
import type { OpenCell } from "./open-cell.ts";

/** By person and record type, then by record. */
const held = new Map<string, ReadonlyMap<string, readonly OpenCell[]>>();
const listeners = new Set<() => void>();
const none: ReadonlyMap<string, readonly OpenCell[]> = new Map();

function put(key: string, id: string, cells: readonly OpenCell[]): void {
  const next = new Map(cellsHeld(key));
  if (cells.length === 0) next.delete(id);
  else next.set(id, cells);
  held.set(ownKey("cells", key), next);
  for (const listener of listeners) listener();
}

export const cellsHeld = (key: string): ReadonlyMap<string, readonly OpenCell[]> =>
  held.get(ownKey("cells", key)) ?? none;

export const cellHeld = (key: string, id: string, column: string): OpenCell | undefined =>
  cellsHeld(key)
    .get(id)
    ?.find((cell) => cell.column.name === column);

const othersOf = (key: string, { id, column }: OpenCell): readonly OpenCell[] =>
  (cellsHeld(key).get(id) ?? []).filter((cell) => cell.column.name !== column.name);

export const holdCell = (key: string, cell: OpenCell): void => put(key, cell.id, [...othersOf(key, cell), cell]);

export const releaseCell = (key: string, cell: OpenCell): void => put(key, cell.id, othersOf(key, cell));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useHeldCells = (key: string): ReadonlyMap<string, readonly OpenCell[]> =>
  useSyncExternalStore(subscribe, () => cellsHeld(key));
