// How long the lists of each view took in the last week, and the index that would help, as administrators see it.
import type { RecordTypeKey } from "../../contract/record-type.ts";
import type { AddedIndex } from "../design/indexes.ts";
import type { Call } from "../transport/transport.ts";

export interface ViewBudget {
  /** Empty: lists that name their own fields. */
  readonly id: string;
  /** null: a view that the caller may not read. */
  readonly name: string | null;
  readonly controller: RecordTypeKey;
  /** Of the record type. */
  readonly label: string;
  readonly lists: string;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly is_over: 0 | 1;
  readonly index:
    | (Pick<AddedIndex, "field" | "label" | "progress" | "failure" | "automatic"> & {
        /** null: nobody asked for it. */
        readonly state: AddedIndex["state"] | null;
        readonly may_build: 0 | 1;
        readonly may_remove: 0 | 1;
      })
    | null;
}

export interface AutomaticIndex extends AddedIndex {
  readonly controller: RecordTypeKey;
  /** Of the record type. */
  readonly type: string;
}

export interface ViewBudgets {
  readonly days: number;
  /** What 95 of 100 lists should stay below. */
  readonly budget_ms: number;
  /** The slowest first. */
  readonly views: readonly ViewBudget[];
  /** Of all record types, for who designs them. */
  readonly automatic: readonly AutomaticIndex[];
}

export async function readBudgets(call: Call, signal?: AbortSignal): Promise<ViewBudgets> {
  return (await call<{ data: ViewBudgets }>("core/listviews/budgets", { signal })).data;
}
