// Files that came with a save: fills what there is to know of them into the drafts, refuses what is not this record's
// file, and ties the new ones to their record when it is written. Call within the save's transaction.

import { Failure } from "../../../contract/failures.ts";
import { about, say } from "../../../contract/messages.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Field, RowValue } from "../../fields/field-type.ts";
import { keepFiles, orphanedFiles } from "../../files/orphaned-files.ts";
import type { StoredFile } from "../../files/receive-file.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Work } from "../hooks.ts";
import { putField } from "../read/record-row.ts";
import type { Draft } from "./draft.ts";

const filesOf = new WeakMap<RecordType, readonly Field[]>();

export function fileFields(type: RecordType): readonly Field[] {
  const known = filesOf.get(type);
  if (known) return known;
  const fields = type.fields.filter((field) => typeOf(field).fileRule !== undefined);
  filesOf.set(type, fields);
  return fields;
}

export const partsOf = (id: string, file: StoredFile): readonly RowValue[] => [
  id,
  file.fileName,
  file.mimeType,
  String(file.size),
  file.width === null ? null : String(file.width),
  file.height === null ? null : String(file.height),
];

const placeOf = (draft: Draft, field: Field): string => `${draft.plan.path}.${field.name}`;

/** Adds to the errors of the drafts what is wrong with files. */
export async function checkFiles(work: Work, drafts: readonly Draft[]): Promise<void> {
  const named: { readonly draft: Draft; readonly field: Field; readonly id: string }[] = [];
  for (const draft of drafts) {
    if (draft.operation === "delete") continue;
    for (const field of fileFields(draft.type)) {
      const place = placeOf(draft, field);
      const fault = work.uploads?.faults.get(place);
      if (fault) {
        delete draft.errors[place];
        draft.errors[fault.key] = [
          say("upload_state", { reason: about(field.label, fault.refused.fault), state: fault.refused.state }),
        ];
        continue;
      }
      const id = draft.after[field.name] ?? null;
      if (id === null) continue;
      const upload = work.uploads?.files.get(id);
      if (upload?.place === place) putField(draft.type, field, partsOf(id, upload.file), draft.after);
      else if (draft.before?.[field.name] === id) {
        for (const { name } of draft.type.columns.get(field.name) ?? []) draft.after[name] = draft.before[name] ?? null;
      } else named.push({ draft, field, id });
    }
  }
  if (named.length === 0) return;
  const { rows } = await work.transaction.run(sql`
    select related_type, related_id, field, id::text, file_name, mime_type, size::text, width::text, height::text
    from core__files
    where organization_id = ${work.caller.organizationId}::bigint and id = any(${named.map(({ id }) => id)}::bigint[])`);
  for (const { draft, field, id } of named) {
    // A record's file stays with the record and the field that it was sent for; history may go back to it.
    const found = rows.find(
      ([type, record, name, fileId]) =>
        type === draft.type.key && record === draft.id && name === field.name && fileId === id,
    );
    if (found) putField(draft.type, field, found.slice(3), draft.after);
    else draft.errors[placeOf(draft, field)] ??= [say("not_found", { field: field.label })];
  }
}

/** The id that a file will have once a record keeps it. */
export async function nextFileId(db: Queryable): Promise<string> {
  const next = await db.row(sql`select nextval(pg_get_serial_sequence('core__files', 'id'))::text as id`);
  return next?.id ?? "";
}

/** Ties the files that came with a row to it, now that it has an id. */
export async function keepUploads(work: Work, draft: Draft, recordId: string): Promise<void> {
  const { transaction, caller, uploads } = work;
  if (!uploads) return;
  for (const field of fileFields(draft.type)) {
    const id = draft.after[field.name] ?? "";
    const upload = uploads.files.get(id);
    if (upload?.place !== placeOf(draft, field)) continue;
    const place = { type: draft.type, recordId, field: field.name };
    await keepFile(transaction, caller, caller.organizationId, { ...place, id, file: upload.file });
  }
}

/** One file becomes a record's. `looseIn`: the organization under which it was received. */
export async function keepFile(
  transaction: Queryable,
  owner: { readonly organizationId: string; readonly userId: string },
  looseIn: string,
  kept: {
    readonly id: string;
    readonly file: StoredFile;
    readonly type: RecordType;
    readonly recordId: string;
    readonly field: string;
  },
): Promise<void> {
  const { id, file, type, recordId, field } = kept;
  const keys = [file.storageKey, ...(file.thumbnailKey === null ? [] : [file.thumbnailKey])];
  if (!(await keepFiles(transaction, looseIn, keys))) {
    throw new Failure("conflict", { with: { reason: say("upload_expired") } });
  }
  await transaction.run(sql`
    insert into core__files (organization_id, id, storage_key, thumbnail_key, file_name, mime_type, size, width, height,
      related_type, related_id, field, created_by)
    values (${owner.organizationId}::bigint, ${id}::bigint, ${file.storageKey}, ${file.thumbnailKey}, ${file.fileName},
      ${file.mimeType}, ${String(file.size)}::bigint, ${file.width}::integer, ${file.height}::integer, ${type.key},
      ${recordId}, ${field}, ${owner.userId}::bigint)`);
}

/** Lets go of all files of records that are removed for good. */
export async function releaseFiles(work: Work, type: RecordType, ids: readonly string[]): Promise<void> {
  const { transaction, caller } = work;
  const { rows } = await transaction.run(sql`
    delete from core__files
    where organization_id = ${caller.organizationId}::bigint and related_type = ${type.key} and related_id = any(${ids}::text[])
    returning storage_key, thumbnail_key`);
  const keys = rows.flat().filter((key) => key !== null);
  if (keys.length > 0) await orphanedFiles(transaction, caller.organizationId, keys);
}
