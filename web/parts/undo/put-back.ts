// Puts values of a record back. Takes the revision that the change left; where the record has moved on since, but holds what
// was written there, the values are put on the revision that it has now. What somebody else wrote is never overwritten.
import { conflictOf, revisionOf } from "../../../client/records/conflict.ts";
import type { SaveRequest, WireRecord } from "../../../client/records/records.ts";

type Values = Readonly<Record<string, unknown>>;
type Edit = Pick<SaveRequest, "alias" | "revision" | "values"> & { readonly id: string };

export interface EditUndo extends Edit {
  /** What the change wrote, as the service answered it. */
  readonly wrote: Values;
}

/** Others may save in between, but not for ever. */
const MOST = 4;

export async function putBack({ wrote, ...edit }: EditUndo, change: (edit: Edit) => Promise<unknown>): Promise<void> {
  for (let revision = edit.revision, sent = 1; ; sent++) {
    try {
      await change({ ...edit, revision });
      return;
    } catch (error) {
      const { current } = conflictOf(error, edit.alias) ?? {};
      if (current === undefined) throw error;
      // It was put back already, and the answer was lost.
      if (holds(current, edit.values)) return;
      if (sent === MOST || !holds(current, wrote)) throw error;
      revision = revisionOf(current);
    }
  }
}

/** The values of some fields. */
export const valuesOf = (record: WireRecord | undefined, fields: readonly string[]): Values =>
  Object.fromEntries(fields.map((field) => [field, record?.[field] ?? null]));

const text = (value: unknown): string => JSON.stringify(value === "" || value === undefined ? null : value);

const holds = (record: WireRecord, values: Values): boolean =>
  Object.entries(values).every(([field, value]) => text(record[field]) === text(value));
