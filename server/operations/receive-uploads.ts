// Takes what was sent for a record, with files among it; gives the same with the ids that the files will have, and the files in
// the store. Whatever of them no record keeps in the end is removed again.
import type { FileRule } from "../fields/field-type.ts";
import { discardFiles } from "../files/orphaned-files.ts";
import { receiveFile, type UploadFault } from "../files/receive-file.ts";
import type { Upload, Uploads } from "../files/uploads.ts";
import { isOwned } from "../metadata/associations.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { fileFields, nextFileId } from "../records/save/uploads.ts";
import { isTree, type Tree, type TreeValue, UploadedFile } from "../request/tree.ts";
import { addressed } from "./addressed.ts";
import type { OperationContext } from "./operation.ts";

/** A person's picture, or what else is attached to a record as a picture. */
const pictureRule: FileRule = { maxBytes: 5 * 1024 * 1024, accept: [], pictures: true };

interface Found {
  readonly file: UploadedFile;
  readonly rule: FileRule;
  readonly place: string;
  /** Rows of files tell of their upload as interface.md names it: `error`, `mime_type`. */
  readonly row: string | undefined;
  put(id: string | null): void;
}

/** Runs a save with the files that were sent for it. */
export async function withUploads<T>(
  context: OperationContext,
  type: RecordType,
  sent: Tree,
  save: (sent: Tree, uploads: Uploads | undefined) => Promise<T>,
): Promise<T> {
  if (context.call.files.length === 0) return save(sent, undefined);
  const { caller } = addressed(context);
  const { database, files: store } = context.services;
  const found: Found[] = [];
  const replaced = walk(context, type, type.alias, sent, undefined, found);
  const files = new Map<string, Upload>();
  const faults = new Map<string, { key: string; refused: UploadFault }>();
  const keys: string[] = [];
  try {
    await context.time("files", async () => {
      for (const { file, rule, place, row, put } of found) {
        const received = await receiveFile(database, store, caller.organizationId, file, rule);
        if ("state" in received) {
          const key = row === undefined ? place : `${row}.${received.state === 8 ? "mime_type" : "error"}`;
          faults.set(place, { key, refused: received });
          put(null);
          continue;
        }
        keys.push(received.storageKey, ...(received.thumbnailKey === null ? [] : [received.thumbnailKey]));
        const id = await nextFileId(database);
        files.set(id, { file: received, place });
        put(id);
      }
    });
    return await save(replaced, { files, faults });
  } finally {
    // What a record keeps is loose no more, and stays. What cannot be removed now is swept later.
    await discardFiles(database, store, caller.organizationId, keys).catch(() => undefined);
  }
}

/** Gives the tree with a place for each file's id; `rule` overrides what the field says. */
function walk(
  context: OperationContext,
  type: RecordType,
  path: string,
  sent: Tree,
  rule: FileRule | undefined,
  found: Found[],
): Tree {
  const [holder] = fileFields(type);
  const isFileRow = type.key === ATTACHMENTS;
  const given = isFileRow ? asFileRow(sent, holder?.name ?? "") : sent;
  const ruleHere = rule ?? (isFileRow ? ruleOfRecord(context, given) : undefined);
  const out: Record<string, TreeValue> = Object.assign(Object.create(null), given);
  for (const [name, value] of Object.entries(given)) {
    const field = type.field.get(name);
    const declared = field && typeOf(field).fileRule?.(field);
    if (value instanceof UploadedFile && declared) {
      out[name] = null;
      found.push({
        file: value,
        rule: ruleHere ?? declared,
        place: `${path}.${name}`,
        row: isFileRow ? path : undefined,
        put: (id) => {
          out[name] = id;
        },
      });
      continue;
    }
    const association = field ? undefined : type.association.get(name);
    if (!association || !isOwned(association)) continue;
    const child = context.snapshot.types.get(association.type);
    if (!child) continue;
    const rows = "files" in association && association.files === "pictures" ? pictureRule : undefined;
    out[name] = walkRows(value, child, (row, key) => walk(context, child, `${path}.${name}.${key}`, row, rows, found));
  }
  return out;
}

const ATTACHMENTS = "core/attachments";

function walkRows(value: TreeValue, child: RecordType, each: (row: Tree, key: string) => Tree): TreeValue {
  const one = (row: TreeValue, key: string): TreeValue => {
    if (row instanceof UploadedFile && child.key === ATTACHMENTS) return each({ file: row }, key);
    return isTree(row) ? each(row, key) : row;
  };
  if (value instanceof UploadedFile) return [one(value, "0")];
  if (Array.isArray(value)) return value.map((row: TreeValue, index) => one(row, String(index)));
  if (!isTree(value)) return value;
  // `images[name]`: one row, without a number.
  const isRow = Object.entries(value).some(([key, part]) => part instanceof UploadedFile && child.field.has(key));
  if (isRow) return [each(value, "0")];
  return Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(value).map(([key, row]) => [key, one(row, key)])),
  );
}

/** A file sent as the row's name is its file; a row without a name is called like its file. */
function asFileRow(row: Tree, field: string): Tree {
  const named = row.name instanceof UploadedFile ? { ...row, [field]: row.name, name: null } : { ...row };
  const file = named[field];
  const name = typeof named.name === "string" && named.name.trim() !== "" ? named.name : undefined;
  return Object.assign(
    Object.create(null),
    named,
    file instanceof UploadedFile && !("id" in row && name === undefined && row.name === undefined)
      ? { name: name ?? file.fileName }
      : {},
  );
}

/** What the record that a file is sent for by itself takes there. */
function ruleOfRecord({ snapshot }: OperationContext, row: Tree): FileRule | undefined {
  const type = typeof row.related_type === "string" ? snapshot.types.get(row.related_type) : undefined;
  const pictures = type?.associations.some(
    (one) => one.kind === "has-many-polymorphic" && one.type === ATTACHMENTS && one.files === "pictures",
  );
  return pictures ? pictureRule : undefined;
}
