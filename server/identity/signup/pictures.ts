// The pictures that come with a signup: received and judged with everything else, kept by the new user's record, or gone.
import { about, type Fault, fault, type Message, say } from "../../../contract/messages.ts";
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

const notSent = fault("upload_missing");

/** What the upload states mean that a client, or whatever stands before us, can report. */
const states: Readonly<Record<string, Fault>> = {
  "1": fault("upload_too_large"),
  "2": fault("upload_too_large"),
  "3": fault("upload_partial"),
  "4": notSent,
  "6": fault("upload_failed"),
  "7": fault("upload_failed"),
  "8": fault("upload_bad_kind"),
};

export interface ReceivedPictures {
  readonly pictures: readonly StoredFile[];
  readonly faults: Readonly<Record<string, readonly Message[]>>;
  /** In the store, whether or not a record will keep them. */
  readonly keys: readonly string[];
}

/**
 * `looseIn`: the organization that answers for the files until a record keeps them. What is in a picture is looked at only
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
  const faults: Record<string, Message[]> = {};
  const keys: string[] = [];
  for (const [index, { file, error, at }] of sent.entries()) {
    const reported = error === "" || error === "0" ? undefined : (states[error] ?? fault("upload_failed"));
    const received =
      index >= MOST_PICTURES
        ? { state: 1, fault: fault("too_many_pictures", { max: MOST_PICTURES }) }
        : reported !== undefined
          ? { state: Number(error), fault: reported }
          : file === undefined
            ? { state: 4, fault: notSent }
            : look
              ? await receiveFile(db, store, looseIn, file, rule)
              : undefined;
    if (received === undefined) continue;
    if ("state" in received) {
      const name = received.state === 8 && reported === undefined ? "mime_type" : "error";
      faults[`${at}.${name}`] = [
        say("upload_state", { reason: about(say("picture"), received.fault), state: received.state }),
      ];
      continue;
    }
    pictures.push(received);
    keys.push(received.storageKey, ...(received.thumbnailKey === null ? [] : [received.thumbnailKey]));
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
