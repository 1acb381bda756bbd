// The files of a record: adding one, and reading one.
import type { Answer, Call, WireFile } from "../transport/transport.ts";
import { attachedTo, type RecordPlace } from "./record-place.ts";

const action = { save_progress: "Save" };

export const addAttachment = (
  call: Call,
  place: RecordPlace,
  file: Blob,
  onProgress?: (part: number) => void,
  signal?: AbortSignal,
): Promise<Answer<{ id: string }>> =>
  call("core/attachments/add", {
    signal,
    body: { data: { attachments: { ...attachedTo(place), file }, action } },
    onProgress,
  });

/** A file that a record holds. */
export interface FilePlace extends RecordPlace {
  /** The first one that holds a file, unless told. */
  readonly field?: string | undefined;
}

export const readFile = (
  call: Call,
  { recordTypeKey, id, field }: FilePlace,
  options: { readonly thumbnail?: boolean; readonly signal?: AbortSignal } = {},
): Promise<WireFile> =>
  call.file(`${recordTypeKey}/download`, {
    query: { id, field, thumbnail: options.thumbnail ? 1 : undefined },
    signal: options.signal,
  });
