// The history of records: one entry per changed record and request, written in the request's own transaction. An entry
// holds wire values, so that what it tells can be sent again.
import type { Field } from "../../fields/field-type.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import type { Work } from "../hooks.ts";
import { changedFields, wireField } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { insertRows } from "../save/insert-rows.ts";

export type Changes = Record<string, { readonly from: unknown; readonly to: unknown }>;

export interface RevisionEntry {
  readonly type: RecordType;
  readonly id: string;
  readonly number: string;
  /** `add`, `edit`, `delete`, `restore`, `revert`, `undo`, `purge`. */
  readonly operation: string;
  readonly changes: Changes;
  /** Children deleted or restored along, by record type. */
  readonly along?: ReadonlyMap<string, readonly string[]>;
}

/** Under this key of an entry's changes stands what went along. */
export const ALONG = "__along";

/** Moves with every change: telling it would say nothing. */
const selfEvident = new Set([
  "revision",
  "modified",
  "modified_by",
  "created",
  "created_by",
  "id",
  "organization_id",
  "stage_since",
  "workflow_version",
]);

/** `changed`: the fields that differ, where that is known already. */
export function changesOf(
  type: RecordType,
  before: ColumnValues | undefined,
  after: ColumnValues,
  changed: readonly Field[] = changedFields(type, before ?? {}, after),
): Changes {
  const changes: Changes = {};
  for (const field of changed) {
    if (selfEvident.has(field.name)) continue;
    changes[field.name] = {
      from: before ? wireField(type, field, before) : null,
      to: wireField(type, field, after),
    };
  }
  return changes;
}

export async function writeRevisions(work: Work, entries: readonly RevisionEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { transaction, snapshot, caller } = work;
  const rows = entries.map(({ type, id, number, operation, changes, along }) => ({
    related_type: type.key,
    related_id: id,
    number,
    operation,
    changes: JSON.stringify(along && along.size > 0 ? { ...changes, [ALONG]: Object.fromEntries(along) } : changes),
    created_by: caller.userId,
    modified_by: caller.userId,
    ...(work.jobId === undefined ? {} : { job_id: work.jobId }),
  }));
  await insertRows(transaction, snapshot, requireType(snapshot, "core/revisions"), caller.organizationId, rows);
}
