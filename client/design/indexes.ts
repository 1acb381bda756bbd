// The indexes that were added to a record type, so that long lists are quick to sort and filter by its fields.
import type { RecordTypeKey } from "../../contract/record-type.ts";
import type { Answer, Call } from "../transport/transport.ts";

export interface AddedIndex {
  readonly field: string;
  readonly label: string;
  readonly state: "building" | "ready" | "failed" | "removing";
  /** In percent, while it is built. */
  readonly progress: number | null;
  readonly failure: string | null;
  /** 1: the service built it by itself, and removes it when nobody uses it. */
  readonly automatic: 0 | 1;
  /** When it was asked for. */
  readonly since: string;
}

export async function readIndexes(
  call: Call,
  key: RecordTypeKey,
  signal?: AbortSignal,
): Promise<readonly AddedIndex[]> {
  const { data } = await call<{ data: { indexes: readonly AddedIndex[] } }>("metadata/record_types/indexes", {
    query: { key },
    signal,
  });
  return data.indexes;
}

export const buildIndex = (call: Call, key: RecordTypeKey, field: string): Promise<Answer<unknown>> =>
  call("metadata/record_types/build_index", { body: { key, field } });

/** One that the service built by itself stays, whether it is used or not. */
export const keepIndex = (call: Call, key: RecordTypeKey, field: string): Promise<Answer<unknown>> =>
  call("metadata/record_types/keep_index", { body: { key, field } });

export const removeIndex = (call: Call, key: RecordTypeKey, field: string): Promise<Answer<unknown>> =>
  call("metadata/record_types/remove_index", { body: { key, field } });
