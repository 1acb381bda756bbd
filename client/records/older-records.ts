// Records that still go by older versions of a workflow: how many are in which stage, and moving them to its newest version.
import type { Call } from "../transport/transport.ts";
import { askBulk, type BulkAnswer } from "./bulk.ts";

export interface OlderRecords {
  /** The record type that the workflow is of. */
  readonly controller: string;
  /** The newest, and its stages. */
  readonly version: string;
  readonly stages: readonly { readonly key: string; readonly name: string }[];
  readonly moving: readonly {
    readonly version: string;
    readonly stage: string;
    readonly __stage: string;
    readonly count: number;
    /** Null: the newest version has no such stage. */
    readonly to: string | null;
  }[];
}

export async function readOlderRecords(call: Call, id: string, signal?: AbortSignal): Promise<OlderRecords> {
  return (await call<{ data: OlderRecords }>("core/workflows/older_records", { query: { id }, signal })).data;
}

export interface Move {
  /** Refused if a newer one was saved meanwhile. */
  readonly version: string;
  /** Where to, by the key of the stage that records are in; the others go to the stage of the same key. */
  readonly stages: Readonly<Record<string, string>>;
}

export const moveRecords = (call: Call, id: string, { version, stages }: Move): Promise<BulkAnswer> =>
  askBulk(call, "core/workflows/move_records", { id, version, stages, is_confirm: "1" });
