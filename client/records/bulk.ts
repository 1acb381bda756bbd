// The same change to many records, and what became of it. More than a thousand go on as a job (jobs.ts).

import { type ExportFormat, type ListChoice, parametersOf } from "../lists/lists.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call, WireFile } from "../transport/transport.ts";
import type { WireValue } from "./records.ts";

/** Which records of a list: those that were picked, or all that it shows but for some. */
export type Picked =
  | { readonly ids: readonly string[] }
  | { readonly allOf: ListChoice; readonly except: readonly string[] };

/** More cannot be picked one by one, only all together. */
export const MOST_PICKED = 10_000;

export interface BulkAnswer {
  readonly jobId: string;
  /** Of how many records. */
  readonly total: number;
  /** In words. */
  readonly message: string;
  /** It goes on without us. */
  readonly isGoingOn: boolean;
  /** Id → reasons. */
  readonly failed: Readonly<Record<string, readonly string[]>>;
  /** Of an undo: id → fields that somebody changed since. */
  readonly leftAlone: Readonly<Record<string, readonly string[]>>;
  /** Of an undo: records that the job had made to be referred to, and that stay. */
  readonly kept: readonly KeptRecord[];
}

export interface KeptRecord {
  readonly controller: string;
  readonly id: string;
  readonly reasons: readonly string[];
}

interface BulkBody {
  readonly job_id: string;
  readonly total: number;
  readonly is_queued: 0 | 1;
  readonly data: {
    readonly changed: readonly string[];
    readonly failed: Readonly<Record<string, readonly string[]>>;
    readonly left_alone?: Readonly<Record<string, readonly string[]>>;
    readonly kept?: readonly KeptRecord[];
  };
}

/** As one text: thousands of ids are more keys than a request may have. */
const namedIn = (picked: Picked) =>
  "ids" in picked
    ? { ids: picked.ids.join(",") }
    : picked.except.length > 0
      ? { except_ids: picked.except.join(",") }
      : {};

const selectionOf = (picked: Picked) => ({
  ...namedIn(picked),
  ...("ids" in picked ? {} : { all_matching: "1", ...parametersOf(picked.allOf) }),
});

export async function askBulk(call: Call, path: string, body: object): Promise<BulkAnswer> {
  const answer = await call<BulkBody>(path, { body });
  const { failed, left_alone: leftAlone = {}, kept = [] } = answer.data;
  const isGoingOn = answer.is_queued === 1;
  const told = { failed, leftAlone, kept };
  return { jobId: answer.job_id, total: answer.total, message: answer.message.join(" "), isGoingOn, ...told };
}

export const editSelected = (
  call: Call,
  key: RecordTypeKey,
  picked: Picked,
  values: Readonly<Record<string, WireValue>>,
): Promise<BulkAnswer> => {
  const [, controller = ""] = key.split("/");
  return askBulk(call, `${key}/edit_selected`, { ...selectionOf(picked), data: { [controller]: values } });
};

export const deleteSelected = (call: Call, key: RecordTypeKey, picked: Picked): Promise<BulkAnswer> =>
  askBulk(call, `${key}/delete_selected`, { ...selectionOf(picked), is_confirm: "1" });

export const restoreSelected = (call: Call, key: RecordTypeKey, picked: Picked): Promise<BulkAnswer> =>
  askBulk(call, `${key}/restore_selected`, selectionOf(picked));

/** The picked records as a file, with the columns of the list. */
export function exportSelected(
  call: Call,
  key: RecordTypeKey,
  choice: ListChoice,
  picked: Picked,
  format: ExportFormat,
): Promise<WireFile> {
  return call.file(`${key}/export`, { body: { ...parametersOf(choice), ...namedIn(picked), format } });
}
