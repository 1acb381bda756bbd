// The files that came with one request, received and stored, on their way to the records that will keep them.
import type { StoredFile, UploadFault } from "./receive-file.ts";

export interface Upload {
  readonly file: StoredFile;
  /** The one field that it was sent for: `leads.photo`, `leads.attachments.0.file`. */
  readonly place: string;
}

export interface Uploads {
  /** By the id that the file will have. */
  readonly files: ReadonlyMap<string, Upload>;
  /** What was refused, by place, with the key that it is told under. */
  readonly faults: ReadonlyMap<string, { readonly key: string; readonly refused: UploadFault }>;
}
