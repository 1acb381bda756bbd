// The history of records: one entry per changed record and request, written in the request's own transaction. Entries
// hold wire values, so they can be sent again.
import { z } from "zod";
import { ident, type Sql, sql } from "../../database/sql.ts";
import { storedJson } from "../../database/stored-json.ts";
import type { Field, WireValue } from "../../fields/field-type.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import type { Work } from "../hooks.ts";
import { changedFields, wireField } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { appendRows } from "../save/insert-rows.ts";

export type Changes = Record<string, { readonly from: WireValue; readonly to: WireValue }>;

export interface RevisionEntry {
  readonly type: RecordType;
  readonly id: string;
  readonly number: string;
  /** `add`, `edit`, `delete`, `restore`, `revert`, `undo`, `purge`. */
  readonly operation: string;
  /** As JSON: `changesText`, and under `ALONG` what was deleted or restored along, by record type. */
  readonly changes: string;
}

/** Under this key of an entry's changes stands what went along. */
export const ALONG = "__along";

/** Of an entry: its changes, without those of removed fields whose names others have by now. */
export function changesOfEntry({ former = [] }: RecordType, alias: string): Sql {
  const changes = ident(alias, "changes");
  if (former.length === 0) return sql`${changes}::text`;
  const each = former.flatMap(({ names, after, upTo }) => names.map((name) => ({ name, after, upTo })));
  return sql`(${changes} - array(
    select f.name from unnest(${each.map(({ name }) => name)}::text[], ${each.map(({ after }) => after)}::bigint[],
      ${each.map(({ upTo }) => upTo)}::bigint[]) as f(name, after, up_to)
    where ${ident(alias, "id")} > f.after and ${ident(alias, "id")} <= f.up_to))::text`;
}

/** What an entry says: its changes, by the names that the fields have now, and what went along, by record type. */
export function readChanges(
  type: Pick<RecordType, "fieldAliases">,
  text: string | null | undefined,
): {
  readonly changes: Changes;
  readonly along: Readonly<Record<string, readonly string[]>>;
} {
  const entry = storedJson(entrySchema, text ?? "{}", PLACE);
  const changes: [string, Changes[string]][] = [];
  for (const name of Object.keys(entry)) {
    if (name !== ALONG) changes.push([type.fieldAliases.get(name) ?? name, readChange(entry[name])]);
  }
  return { changes: Object.fromEntries(changes), along: alongOf(entry[ALONG]) };
}

const PLACE = "core__revisions.changes";
/** What is in it is read by hand: a reader of the feed is given thousands of them in a second. */
const entrySchema = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);
const alongSchema = z.record(z.string(), z.array(z.string()));
const alongOf = (value: unknown) => (value === undefined ? {} : alongSchema.parse(value));

function readChange(change: unknown): Changes[string] {
  const { from = null, to = null } = (change ?? {}) as { from?: unknown; to?: unknown };
  if (typeof change === "object" && change !== null && isWireValue(from) && isWireValue(to)) return { from, to };
  throw new Error(`${PLACE} holds a change of a shape that this version does not know`);
}

const isText = (value: unknown): value is string | null => value === null || typeof value === "string";

const isWireValue = (value: unknown): value is WireValue =>
  isText(value) || (typeof value === "object" && !Array.isArray(value) && Object.values(value ?? {}).every(isText));

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

/**
 * What differs, as JSON. An object of as many fields would take longer to make than its text.
 * `changed`: the fields that differ, where that is known already.
 */
export function changesText(
  type: RecordType,
  before: ColumnValues | undefined,
  after: ColumnValues,
  changed: readonly Field[] = changedFields(type, before ?? {}, after),
): string {
  let text = "";
  for (const field of changed) {
    // What is computed follows from the rest.
    if (selfEvident.has(field.name) || field.computed) continue;
    const from = before ? JSON.stringify(wireField(type, field, before)) : "null";
    const to = JSON.stringify(wireField(type, field, after));
    text += `${text === "" ? "" : ","}${JSON.stringify(field.name)}:{"from":${from},"to":${to}}`;
  }
  return `{${text}}`;
}

export const changesOf = (type: RecordType, before: ColumnValues | undefined, after: ColumnValues): Changes =>
  JSON.parse(changesText(type, before, after)) as Changes; // written just above

export async function writeRevisions(work: Work, entries: readonly RevisionEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { transaction, snapshot, caller } = work;
  const rows = entries.map(({ type, id, number, operation, changes }) => ({
    related_type: type.key,
    related_id: id,
    number,
    operation,
    changes,
    created_by: caller.userId,
    modified_by: caller.userId,
    ...(work.jobId === undefined ? {} : { job_id: work.jobId }),
  }));
  await appendRows(transaction, snapshot, requireType(snapshot, "core/revisions"), caller.organizationId, rows);
}
