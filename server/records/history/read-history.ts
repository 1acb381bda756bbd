// Takes a record; returns its history as far as the caller can see it: who changed what, with old and new values in words,
// newest first. Changes to fields hidden from the caller are left out.

import type { Caller } from "../../access/caller.ts";
import { type FieldMask, fieldMask } from "../../access/field-mask.ts";
import { may, mayRead } from "../../access/visibility.ts";
import { expression, quote, sql } from "../../database/sql.ts";
import type { Field, WireValue } from "../../fields/field-type.ts";
import { referencedBy } from "../../metadata/associations.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { noSuchRecord, requireRecordId } from "../../plan/plan-read.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import { type DisplayTexts, type Reader, readDisplayTexts } from "../read/display-texts.ts";
import { countedRows } from "../save/dependents.ts";
import { changesOfEntry, readChanges } from "./revisions.ts";

const USERS = "access_controls/users";

interface StoredEntry {
  readonly number: string;
  readonly operation: string;
  readonly created: string;
  readonly createdBy: string | null;
  readonly jobId: string | null;
  readonly changes: ReadonlyMap<string, { readonly from: WireValue; readonly to: WireValue }>;
  readonly along: Readonly<Record<string, readonly string[]>>;
}

export interface History {
  readonly total: string;
  readonly revisions: readonly PresentedRevision[];
}

export type PresentedRevision = ReturnType<typeof presentEntry>;

export async function readHistory(
  reader: Reader,
  snapshot: Snapshot,
  type: RecordType,
  caller: Caller,
  sentId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<History> {
  const id = await requireReadable(reader, type, caller, sentId);
  const rows = await reader.run(sql`
    select number::text, operation, created::text, created_by::text, job_id::text, ${changesOfEntry(type, "r")}, count(*) over ()::text
    from core__revisions r
    where organization_id = ${caller.organizationId}::bigint and related_type = ${type.key} and related_id = ${id}
      and deleted = 0
    order by r.number desc, r.id desc limit ${page.limit}::bigint offset ${page.offset}::bigint`);
  return { total: rows[0]?.[6] ?? "0", revisions: await presentRevisions(reader, snapshot, type, caller, rows) };
}

/** Gives the id of a record whose past exists for the caller: it may read it, and delete it where it is in the recycle bin. */
export async function requireReadable(
  reader: Reader,
  type: RecordType,
  caller: Caller,
  sentId: string,
): Promise<string> {
  const id = requireRecordId(type, sentId);
  const [record] = await reader.run(sql`
    select r.id::text from ${expression(quote(type.table))} r
    where ${mayRead(caller, type, "r", "few")} and r.id = ${id}::${idTypeOf(type)}
      and (r.deleted = 0 or ${may("delete", caller, type, "r", "few")})`);
  if (!record) throw noSuchRecord(type);
  return id;
}

/** `rows`: number, operation, created, created_by, job_id and changes of each. */
export async function presentRevisions(
  reader: Reader,
  snapshot: Snapshot,
  type: RecordType,
  caller: Caller,
  rows: readonly (readonly (string | null)[])[],
): Promise<readonly PresentedRevision[]> {
  const fields = shownFields(type, caller);
  const entries = rows.map((row) => {
    const entry = parseEntry(type, row);
    return { entry, changes: shownChanges(fields, entry) };
  });
  const texts = await textsOf(reader, snapshot, caller, entries);
  return entries.map((one) => presentEntry(snapshot, one, texts));
}

export function parseEntry(type: RecordType, row: readonly (string | null)[]): StoredEntry {
  const [number, operation, created, createdBy, jobId, changes] = row;
  const { changes: fields, along } = readChanges(type, changes);
  return {
    number: number ?? "",
    operation: operation ?? "",
    created: created ?? "",
    createdBy: createdBy ?? null,
    jobId: jobId ?? null,
    changes: new Map(Object.entries(fields)),
    along,
  };
}

interface ShownField {
  readonly field: Field;
  /** Among the fields of the type. */
  readonly place: number;
  /** The type that it refers to. */
  readonly target: string | undefined;
}

const fieldsOf = new WeakMap<FieldMask, ReadonlyMap<string, ShownField>>();

/** The fields of the type that exist for the caller, by name. A page of the feed asks for them ten times over. */
function shownFields(type: RecordType, caller: Caller): ReadonlyMap<string, ShownField> {
  const mask = fieldMask(type, caller);
  const known = fieldsOf.get(mask);
  if (known) return known;
  const fields = new Map(
    type.fields.flatMap((field, place) =>
      mask.visible.has(field.name) ? [[field.name, { field, place, target: referencedBy(type, field) }]] : [],
    ),
  );
  fieldsOf.set(mask, fields);
  return fields;
}

interface ShownChange extends ShownField {
  readonly from: WireValue;
  readonly to: WireValue;
}

/** In the order of the type. */
function shownChanges(fields: ReadonlyMap<string, ShownField>, { changes }: StoredEntry): readonly ShownChange[] {
  const shown: ShownChange[] = [];
  for (const [name, change] of changes) {
    const known = fields.get(name);
    if (known) {
      const { field, place, target } = known;
      shown.push({ field, place, target, from: change.from, to: change.to });
    }
  }
  return shown.length > 1 ? shown.sort((one, other) => one.place - other.place) : shown;
}

interface ShownEntry {
  readonly entry: StoredEntry;
  readonly changes: readonly ShownChange[];
}

function textsOf(
  reader: Reader,
  snapshot: Snapshot,
  caller: Caller,
  entries: readonly ShownEntry[],
): Promise<DisplayTexts> {
  const ids = new Map<string, Set<string>>();
  const want = (key: string, id: unknown) => {
    if (typeof id === "string") ids.set(key, (ids.get(key) ?? new Set()).add(id));
  };
  for (const { entry, changes } of entries) {
    want(USERS, entry.createdBy);
    for (const { target, from, to } of changes) {
      if (target === undefined) continue;
      want(target, from);
      want(target, to);
    }
  }
  const types = [...ids.keys()].map((key) => requireType(snapshot, key));
  return readDisplayTexts(async (statement) => (await reader.db.run(statement)).rows, snapshot, caller, types, ids);
}

function presentEntry(snapshot: Snapshot, { entry, changes }: ShownEntry, texts: DisplayTexts) {
  const inWords = ({ field, target }: ShownField, value: WireValue): string | null => {
    if (target !== undefined) return texts.of(target, typeof value === "string" ? value : null);
    if (value === null) return null;
    const text = typeof value === "string" ? value : Object.values(value).filter(Boolean).join(", ");
    return typeOf(field).display?.(value, field) ?? text;
  };
  const along = Object.entries(entry.along).flatMap(([key, ids]) => {
    const child = snapshot.types.get(key);
    return child ? [[child, ids] as const] : [];
  });
  return {
    revision: entry.number,
    operation: entry.operation,
    created: entry.created,
    created_by: entry.createdBy,
    __created_by: texts.of(USERS, entry.createdBy),
    job_id: entry.jobId,
    along: countedRows(new Map(along)),
    changes: changes.map((change) => ({
      field: change.field.name,
      label: change.field.label,
      from: change.from,
      to: change.to,
      __from: inWords(change, change.from),
      __to: inWords(change, change.to),
    })),
  };
}
