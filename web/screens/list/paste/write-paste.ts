// Writes what a paste changes, some records at a time, and tells how far it is; stops between calls when asked to. Gives
// what became of each record, and one way back for all of it.
import { type ManyEdited, type RowEdit, rowsAtOnce } from "../../../../client/records/many-edits.ts";
import { client } from "../../../session/session.ts";
import type { PastedRow } from "./prepare-paste.ts";

export interface PasteProgress {
  onDone(count: number): void;
  readonly signal: AbortSignal;
}

/** Who saves one by one hears soon how far it is. */
const ONE_BY_ONE = 5;

export const editsOf = (rows: readonly PastedRow[]): readonly RowEdit[] =>
  rows.flatMap(({ id, revision, cells }): readonly RowEdit[] => {
    const changed = cells.flatMap(({ column: { own }, before, after }) =>
      own && after ? [{ name: own.name, before: before?.value ?? null, after: after.value }] : [],
    );
    if (changed.length === 0) return [];
    return [
      {
        id,
        revision,
        values: Object.fromEntries(changed.map(({ name, after }) => [name, after])),
        before: Object.fromEntries(changed.map(({ name, before }) => [name, before])),
      },
    ];
  });

export async function writePaste(
  recordTypeKey: string,
  edits: readonly RowEdit[],
  mayBulk: boolean,
  { onDone, signal }: PasteProgress,
): Promise<ManyEdited> {
  const fields = Math.max(1, ...edits.map(({ values }) => Object.keys(values).length));
  const size = mayBulk ? rowsAtOnce(fields) : ONE_BY_ONE;
  const parts: ManyEdited[] = [];
  const failed: Record<string, readonly string[]> = {};
  for (let start = 0; start < edits.length && !signal.aborted; start += size) {
    const some = edits.slice(start, start + size);
    try {
      const part = await (mayBulk ? client.records.editMany : client.records.editEach)(recordTypeKey, some);
      parts.push(part);
      Object.assign(failed, part.failed);
    } catch (error) {
      if (parts.length === 0) throw error;
      // What is done is done, and can be undone; the rest is told.
      for (const { id } of edits.slice(start)) failed[id] = [error instanceof Error ? error.message : String(error)];
      break;
    }
    onDone(Math.min(edits.length, start + size));
  }
  return {
    changed: parts.flatMap(({ changed }) => changed),
    failed,
    // The last first: undoing goes back the way it came.
    undo: async () => {
      for (const part of parts.toReversed()) if (part.changed.length > 0) await part.undo();
    },
  };
}
