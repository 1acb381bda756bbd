// Fields and record types that designers removed: what there is to bring back, bringing it back, deleting it for good.
import type { FieldTypeId } from "../../contract/field-types.ts";
import type { RecordTypeKey } from "../../contract/record-type.ts";
import type { Answer, Call } from "../transport/transport.ts";

export interface RemovedDesign {
  readonly id: string;
  readonly key: RecordTypeKey;
  /** Null: the whole record type. */
  readonly field: string | null;
  readonly label: string;
  readonly type: FieldTypeId | null;
  /** Of a record type: its records. */
  readonly values: number;
  readonly removed: string;
  readonly expires: string;
  readonly removed_by: string | null;
}

/** Fields of a record type; without one, record types. */
export async function readRemoved(
  call: Call,
  key: RecordTypeKey | undefined,
  signal?: AbortSignal,
): Promise<readonly RemovedDesign[]> {
  const query = key === undefined ? {} : { key };
  const answer = await call<{ data: { removed: readonly RemovedDesign[] } }>("metadata/record_types/removed", {
    query,
    signal,
  });
  return answer.data.removed;
}

export const restoreRemoved = (call: Call, id: string): Promise<Answer<unknown>> =>
  call("metadata/record_types/restore", { body: { id } });

export const purgeRemoved = (call: Call, id: string): Promise<Answer<unknown>> =>
  call("metadata/record_types/purge", { body: { id, is_confirm: "1" } });
