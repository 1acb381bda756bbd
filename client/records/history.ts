// What became of a record, change by change, and the way back; out of the recycle bin for good.
import type { RecordTypeKey } from "../transport/address.ts";
import type { Answer, Call } from "../transport/transport.ts";
import type { RecordView, WireValue } from "./records.ts";

export interface FieldChange {
  readonly field: string;
  readonly label: string;
  readonly from: WireValue;
  readonly to: WireValue;
  /** In words. */
  readonly __from: string | null;
  readonly __to: string | null;
}

export interface Revision {
  readonly revision: string;
  /** add, edit, delete, restore, revert, or the action that was taken. */
  readonly operation: string;
  readonly created: string;
  readonly created_by: string | null;
  readonly __created_by: string | null;
  readonly job_id: string | null;
  /** What changed with it, such as `2 Addresses`. */
  readonly along: readonly string[];
  readonly changes: readonly FieldChange[];
}

/** Back to how the record was after a revision; history keeps everything since. */
export const revertRecord = (
  call: Call,
  key: RecordTypeKey,
  id: string,
  revision: string,
): Promise<Answer<RecordView>> => call<RecordView>(`${key}/revert`, { query: { id, revision }, method: "POST" });

export const purgeRecord = (call: Call, key: RecordTypeKey, id: string): Promise<Answer<unknown>> =>
  call(`${key}/purge`, { query: { id, is_confirm: 1 }, method: "POST" });
