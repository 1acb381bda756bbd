// Takes a file that was uploaded, and what may be put where it is meant to go; gives it in the store, or why it is refused,
// with the state that uploads of all services share (0 is well). What was stored is loose until a record keeps it.

import { open } from "node:fs/promises";
import { type Fault, fault } from "../../contract/messages.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { FileRule } from "../fields/field-type.ts";
import type { UploadedFile } from "../request/tree.ts";
import { type FileStore, newStorageKey } from "./file-store.ts";
import { pictureTypes, rewritePicture } from "./picture.ts";
import { SNIFF_BYTES, sniff } from "./sniff.ts";

export interface StoredFile {
  readonly storageKey: string;
  readonly thumbnailKey: string | null;
  readonly fileName: string;
  readonly mimeType: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
}

/** 2: larger than the place takes. 3: not whole. 4: nothing in it. 8: of a kind that is not taken. */
export interface UploadFault {
  readonly state: 2 | 3 | 4 | 8;
  readonly fault: Fault;
}

/** How long a save may take from storing a file to committing its record. */
const LOOSE_FOR = "1 hour";

export async function receiveFile(
  db: Queryable,
  store: FileStore,
  organizationId: string,
  file: UploadedFile,
  rule: FileRule,
): Promise<StoredFile | UploadFault> {
  if (file.size === 0) return { state: 4, fault: fault("file_empty") };
  if (file.size > rule.maxBytes) return { state: 2, fault: fault("file_too_large", { limit: inWords(rule.maxBytes) }) };
  const mimeType = await sniffFile(file.path);
  const isPicture = pictureTypes.includes(mimeType);
  if (rule.pictures && !isPicture) {
    return { state: 8, fault: fault("not_a_picture") };
  }
  if (rule.accept.length > 0 && !rule.accept.some((kind) => matches(kind, mimeType))) {
    return { state: 8, fault: fault("bad_file_type", { type: mimeType, types: rule.accept }) };
  }
  const picture = isPicture ? await rewritePicture(file.path, mimeType, organizationId) : undefined;
  if (isPicture && !picture) return { state: 3, fault: fault("damaged_picture") };
  const storageKey = newStorageKey();
  const thumbnailKey = picture ? newStorageKey() : null;
  const keys = [storageKey, ...(thumbnailKey === null ? [] : [thumbnailKey])];
  // Known before it is there: whatever happens from here on, somebody will find it.
  await db.run(sql`
    insert into core__loose_files (organization_id, storage_key, removable)
    select ${organizationId}::bigint, given, (now() at time zone 'utc') + ${LOOSE_FOR}::interval from unnest(${keys}::text[]) as given`);
  await store.put(storageKey, picture?.path ?? file.path, picture?.size ?? file.size);
  if (picture && thumbnailKey !== null)
    await store.put(thumbnailKey, picture.thumbnail, await sizeOf(picture.thumbnail));
  return {
    storageKey,
    thumbnailKey,
    fileName: file.fileName,
    mimeType,
    size: picture?.size ?? file.size,
    width: picture?.width ?? null,
    height: picture?.height ?? null,
  };
}

const matches = (kind: string, mimeType: string): boolean =>
  kind.endsWith("/*") ? mimeType.startsWith(kind.slice(0, -1)) : kind === mimeType;

async function sniffFile(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return await sniff(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

async function sizeOf(path: string): Promise<number> {
  const file = await open(path, "r");
  try {
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

function inWords(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return megabytes >= 1 ? `${Number(megabytes.toFixed(1))} MiB` : `${Math.max(1, Math.round(bytes / 1024))} KiB`;
}
