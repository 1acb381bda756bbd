// The pictures that come with a signup: received and judged with everything else, kept by the new user's record, or gone.
import type { Database, Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { FileRule } from "../../fields/field-type.ts";
import type { FileStore } from "../../files/file-store.ts";
import { receiveFile, type StoredFile } from "../../files/receive-file.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { putField } from "../../records/read/record-row.ts";
import type { ColumnValues } from "../../records/read/row-values.ts";
import { insertRows } from "../../records/save/insert-rows.ts";
import { keepFile, partsOf } from "../../records/save/uploads.ts";
import type { SentImage } from "./read-signup.ts";

export const PICTURE_BYTES = 5 * 1024 * 1024;
export const MOST_PICTURES = 4;
const rule: FileRule = { maxBytes: PICTURE_BYTES, accept: [], pictures: true };

/** What the upload states mean that a client, or whatever stands before us, can report. */
const states: Readonly<Record<string, string>> = {
  "1": "is larger than the service takes",
  "2": "is larger than the form takes",
  "3": "arrived only in part",
  "4": "did not arrive",
  "6": "could not be kept: there is no room for temporary files",
  "7": "could not be written",
  "8": "is of a kind that is not taken",
};

export interface ReceivedPictures {
  readonly pictures: readonly StoredFile[];
  readonly faults: Readonly<Record<string, readonly string[]>>;
  /** In the store, whether or not a record will keep them. */
  readonly keys: readonly string[];
}

/**
 * `looseIn`: the organisation that answers for the files until a record keeps them. What is in a picture is looked at only
 * where `look` says so, when nothing else is wrong: it costs the most of all that a stranger can ask for.
 */
export async function receivePictures(
  db: Database,
  store: FileStore,
  looseIn: string,
  sent: readonly SentImage[],
  look: boolean,
): Promise<ReceivedPictures> {
  const pictures: StoredFile[] = [];
  const faults: Record<string, string[]> = {};
  const keys: string[] = [];
  for (const [index, { file, error, at }] of sent.entries()) {
    const reported = error === "" || error === "0" ? undefined : (states[error] ?? "was not uploaded well");
    const fault =
      index >= MOST_PICTURES
        ? { state: 1, sentence: `is one too many: at most ${MOST_PICTURES} are taken` }
        : reported !== undefined
          ? { state: Number(error), sentence: reported }
          : file === undefined
            ? { state: 4, sentence: states["4"] ?? "" }
            : look
              ? await receiveFile(db, store, looseIn, file, rule)
              : undefined;
    if (fault === undefined) continue;
    if ("state" in fault) {
      const name = fault.state === 8 && reported === undefined ? "mime_type" : "error";
      faults[`${at}.${name}`] = [`Picture ${fault.sentence} (upload state ${fault.state})`];
      continue;
    }
    pictures.push(fault);
    keys.push(fault.storageKey, ...(fault.thumbnailKey === null ? [] : [fault.thumbnailKey]));
  }
  return { pictures, faults, keys };
}

/** Call within the transaction that makes the user. */
export async function keepPictures(
  transaction: Queryable,
  snapshot: Snapshot,
  owner: { readonly organizationId: string; readonly userId: string },
  looseIn: string,
  pictures: readonly StoredFile[],
): Promise<void> {
  const type = requireType(snapshot, "core/attachments");
  const field = type.field.get("file");
  if (!field) throw new Error("attachments have no file");
  for (const file of pictures) {
    const next = await transaction.row(sql`select nextval(pg_get_serial_sequence('core__files', 'id'))::text as id`);
    const id = next?.id ?? "";
    const row: ColumnValues = {
      related_type: "access_controls/users",
      related_id: owner.userId,
      name: file.fileName,
      owned_by: owner.userId,
      created_by: owner.userId,
      modified_by: owner.userId,
    };
    putField(type, field, partsOf(id, file), row);
    const [recordId = ""] = await insertRows(transaction, snapshot, type, owner.organizationId, [row]);
    await keepFile(transaction, owner, looseIn, { id, file, type, recordId, field: field.name });
  }
}
