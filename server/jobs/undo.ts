// Undoes what a bulk job did to the records of a chunk, by the history that the job left. Values that somebody has changed since, and
// values that the caller can no longer change, are kept and reported.

import { isDeepStrictEqual } from "node:util";
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { type FieldMask, fieldMask, maySeeRemoved } from "../access/field-mask.ts";
import { type Grant, grantWrite, type WriteOperation } from "../access/grant.ts";
import { sql } from "../database/sql.ts";
import { isFilledIn } from "../fields/field-type.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { lockRecords } from "../query/lock-rows.ts";
import { deleteMany, restoreMany } from "../records/bulk/delete-many.ts";
import { attempt, outcomeOf } from "../records/bulk/with-savepoints.ts";
import { ALONG, type Changes, changesOfEntry, readChanges } from "../records/history/revisions.ts";
import { hooksOf, type Work } from "../records/hooks.ts";
import { columnNames, rowOf, wireField } from "../records/read/record-row.ts";
import type { ColumnValues } from "../records/read/row-values.ts";
import { saveRecords } from "../records/save/save-records.ts";
import { undoStep } from "../records/workflow/undo-step.ts";
import type { Tree, TreeValue } from "../request/tree.ts";
import type { ChunkOutcome, JobContext, JobInput, RunChunk } from "./job.ts";
import { type Done, type DoneChild, deleteMade, doneChildren, type ReadDone } from "./undo-along.ts";

export const undo: RunChunk = async (context, { ids }) => {
  const { work, grant, input } = context;
  const { type } = grant;
  if (!input.undoes) throw new Error("an undo names the job that it undoes");
  const { id: jobId, kind } = input.undoes;
  const read: ReadDone = (of, some) => readDone(work, of, jobId, some);
  const history = await read(type, ids);
  switch (kind) {
    case "restore":
      return undoByDeleting(context, ids, history, deletedSince);
    case "delete":
      return undoDelete(context, ids, history);
  }
  const children = await doneChildren(work, type, ids, read);
  const outcome = await undoWritten(context, kind, ids, history, children);
  const kept = await deleteMade(
    work,
    [...[...history.values()].map(({ changes }) => ({ type, changes })), ...children.map(writtenChild)],
    read,
  );
  return { ...outcome, kept };
};

const writtenChild = ({ type, done: { changes } }: DoneChild) => ({ type, changes });

function undoWritten(
  context: JobContext,
  kind: string,
  ids: readonly string[],
  history: ReadonlyMap<string, Done>,
  children: readonly DoneChild[],
): Promise<ChunkOutcome> {
  if (kind === "add") return undoByDeleting(context, ids, history, (done) => done.since);
  return kind === "upsert" ? undoUpsert(context, ids, history, children) : undoEdit(context, ids, history, children);
}

/** What undoing a job does to records. */
export const undoes = ({ undoes: job }: JobInput): WriteOperation =>
  job?.kind === "edit" || job?.kind === "upsert" ? "edit" : job?.kind === "delete" ? "restore" : "delete";

export async function readDone(
  { transaction, caller }: Work,
  type: RecordType,
  jobId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Done>> {
  const organization = sql`${caller.organizationId}::bigint`;
  const rows = await transaction.rows(sql`
    select d.related_id as id, d.operation, ${changesOfEntry(type, "d")} as changes,
      (select string_agg(k.name, ' ') from jsonb_object_keys(d.changes) as k(name)) as names,
      (select string_agg(distinct k.name, ' ') from core__revisions l
        left join core__jobs j on j.organization_id = ${organization} and j.id = l.job_id
        cross join lateral jsonb_object_keys(l.changes) as k(name)
        where l.organization_id = ${organization} and l.related_type = d.related_type and l.related_id = d.related_id
          and l.number > d.number and l.job_id is distinct from d.job_id and (j.id is null or (j.kind <> 'undo' and j.undone_by is null))) as since
    from core__revisions d
    where d.organization_id = ${organization} and d.job_id = ${jobId}::bigint and d.related_type = ${type.key}
      and d.related_id = any(${ids}::text[])
    order by d.number`);
  const done = new Map<string, Done>();
  for (const row of rows) {
    const id = row.id ?? "";
    const earlier = done.get(id);
    const since = namesIn(row.since).map((name) => type.fieldAliases.get(name) ?? name);
    const { changes } = readChanges(type, row.changes);
    const isGone = (name: string) => !Object.hasOwn(changes, name) || !type.field.has(name);
    const gone = namesIn(row.names).filter((name) => isGone(type.fieldAliases.get(name) ?? name));
    done.set(id, {
      changes: joined(earlier?.changes ?? {}, changes),
      isAdded: earlier?.isAdded || row.operation === "add",
      since: new Set([...(earlier?.since ?? []), ...since]),
      gone: new Set([...(earlier?.gone ?? []), ...gone]),
    });
  }
  return done;
}

const namesIn = (names: string | null | undefined): string[] =>
  (names ?? "").split(" ").filter((name) => name !== "" && name !== ALONG);

/** Two changes of a record, one after the other, as one. */
const joined = (first: Changes, second: Changes): Changes => ({
  ...first,
  ...Object.fromEntries(
    Object.entries(second).map(([name, change]) => [name, { ...change, from: (first[name] ?? change).from }]),
  ),
});

/** Records with which a job did nothing but take one step, and that step: an entry of the stage log. */
async function stepsTaken(
  { transaction, caller }: Work,
  type: RecordType,
  jobId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const organization = sql`${caller.organizationId}::bigint`;
  const rows = await transaction.rows(sql`
    select l.related_id as id, max(l.id)::text as step from core__stage_log l
    join core__revisions d on d.organization_id = ${organization} and d.related_type = l.related_type
      and d.related_id = l.related_id and d.number = l.made_revision
    where l.organization_id = ${organization} and l.related_type = ${type.key} and l.related_id = any(${ids}::text[])
      and l.deleted = 0 and d.job_id = ${jobId}::bigint
      and (select count(*) from core__revisions r where r.organization_id = ${organization} and r.related_type = l.related_type
        and r.related_id = l.related_id and r.job_id = ${jobId}::bigint) = 1
    group by l.related_id having count(*) = 1`);
  return new Map(rows.map(({ id, step }) => [id ?? "", step ?? ""]));
}

async function undoEdit(
  { work, grant, input, signal }: JobContext,
  ids: readonly string[],
  history: ReadonlyMap<string, Done>,
  children: readonly DoneChild[],
): Promise<ChunkOutcome> {
  const { type } = grant;
  const leftAlone: Record<string, readonly string[]> = {};
  let removed = 0;
  const rows: { readonly id: string; readonly sent: Tree }[] = [];
  const columns = columnNames(type);
  const childrenOf = groupedBy(children, ({ parentId }) => parentId);
  const current = new Map(
    (await work.transaction.run(lockRecords(type, work.caller, ids, columns))).rows.map((texts) => {
      const row = rowOf(columns, texts);
      return [row.id ?? "", row];
    }),
  );
  for (const id of ids) {
    const done = history.get(id);
    if (!done) continue;
    const row = current.get(id);
    const { sent, kept } = fieldsBack(work, type, grant.fields, done, row);
    let isRemoved = row !== undefined && done.gone.size > 0;
    for (const [name, rows] of groupedBy(childrenOf.get(id) ?? [], ({ association }) => association)) {
      const back = rows.map((child) => childBack(work, child));
      if (back.some(({ isKept }) => isKept)) kept.push(name);
      isRemoved ||= back.some((one) => one.isRemoved);
      const changed = back.flatMap((one) => one.sent ?? []);
      if (changed.length > 0) sent[name] = changed;
    }
    const isTold = (name: string): boolean => maySeeRemoved(work.caller) || !done.gone.has(name);
    if (kept.length > 0) leftAlone[id] = kept.filter(isTold);
    if (isRemoved) removed++;
    if (Object.keys(sent).length > 0) rows.push({ id, sent });
  }
  const saved = await saveRecords(work, { grant, operation: "undo", signal }, rows);
  const tried = rows.map(({ id }) => id);
  const { changed, failed } = outcomeOf(tried, saved);
  // Where no transition leads back, a step that was all the job did is undone as one: whole, or not at all.
  const whole = Object.keys(failed).filter((id) => !childrenOf.has(id) && leftAlone[id] === undefined);
  const steps = await stepsTaken(work, type, input.undoes?.id ?? "", whole);
  const stepped = new Set<string>();
  for (const [id, step] of steps) {
    const undone = await attempt(work.transaction, async () => {
      const { stays } = await undoStep(work, type, id, step);
      if (stays.length > 0) throw new Failure("conflict", { with: { reason: say("cannot_undo") } });
    });
    if ("value" in undone) stepped.add(id);
  }
  return {
    changed: [...changed, ...stepped],
    failed: Object.fromEntries(Object.entries(failed).filter(([id]) => !stepped.has(id))),
    leftAlone,
    removed,
  };
}

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** What a record's fields held before, of those that still hold what the job wrote; the others are kept. */
function fieldsBack(
  work: Work,
  type: RecordType,
  { visible, editable }: FieldMask,
  { changes, since, gone }: Done,
  row: ColumnValues | undefined,
): { readonly sent: Record<string, TreeValue>; readonly kept: string[] } {
  const computed = new Set(hooksOf(work, type).computes ?? []);
  const sent: Record<string, TreeValue> = {};
  const kept = row ? [...gone] : [];
  for (const [name, change] of Object.entries(changes)) {
    const field = type.field.get(name);
    if (!field || isFilledIn(field) || computed.has(name)) continue;
    if (!visible.has(name) && !editable.has(name)) continue;
    const now = row && wireField(type, field, row);
    // Of a record that the caller cannot read any more nothing is told: saving it says that it is not there.
    const isSame = !row || (!since.has(name) && isDeepStrictEqual(now, change.to));
    // History holds wire values, which are what can be sent.
    if (isSame) sent[name] = change.from as TreeValue;
    // What is back already (by an undo before this one) is not kept.
    else if (!isDeepStrictEqual(now, change.from)) kept.push(name);
  }
  return { sent, kept };
}

interface ChildBack {
  readonly sent: TreeValue | undefined;
  readonly isKept: boolean;
  /** Because a field of it was removed. */
  readonly isRemoved: boolean;
}

/** A child that was added goes, one that was changed is changed back, as its record is saved. */
function childBack(work: Work, { type, row, done }: DoneChild): ChildBack {
  const id = row.id ?? "";
  const untouched = { sent: undefined, isKept: false, isRemoved: false };
  // Somebody deleted it meanwhile: there is nothing to take back.
  if (row.deleted !== "0") return untouched;
  if (done.isAdded)
    return done.since.size > 0 ? { ...untouched, isKept: true } : { ...untouched, sent: { id, deleted: "1" } };
  const { sent, kept } = fieldsBack(work, type, fieldMask(type, work.caller), done, row);
  return {
    sent: Object.keys(sent).length > 0 ? { ...sent, id } : undefined,
    isKept: kept.length > 0,
    isRemoved: done.gone.size > 0,
  };
}

const deletedSince = (done: Done): ReadonlySet<string> => new Set(done.since.has("deleted") ? ["deleted"] : []);

/** Of records that were added, or brought back. */
async function undoByDeleting(
  { work, grant, signal }: JobContext,
  ids: readonly string[],
  history: ReadonlyMap<string, Done>,
  since: (done: Done) => ReadonlySet<string>,
): Promise<ChunkOutcome> {
  const { leftAlone, free } = await apart(work, grant, ids, history, since, "1");
  const consent = { confirmed: true, override: false };
  const outcome = await deleteMany(work, grant, free, consent, signal);
  return { ...outcome, leftAlone };
}

/** What was added is deleted, what was changed is changed back. */
async function undoUpsert(
  context: JobContext,
  ids: readonly string[],
  history: ReadonlyMap<string, Done>,
  children: readonly DoneChild[],
): Promise<ChunkOutcome> {
  const { caller, type, rules } = context.grant;
  const isAdded = (id: string): boolean => history.get(id)?.isAdded ?? false;
  const added = ids.filter(isAdded);
  const edited = await undoEdit(
    context,
    ids.filter((id) => !isAdded(id)),
    history,
    children,
  );
  if (added.length === 0) return edited;
  const grant = grantWrite(caller, type, "delete", rules);
  const deleted = await undoByDeleting({ ...context, grant }, added, history, (done) => done.since);
  const changed = new Set([...edited.changed, ...deleted.changed]);
  return {
    changed: ids.filter((id) => changed.has(id)),
    failed: { ...edited.failed, ...deleted.failed },
    leftAlone: { ...edited.leftAlone, ...deleted.leftAlone },
    removed: edited.removed,
  };
}

async function undoDelete(
  { work, grant, signal }: JobContext,
  ids: readonly string[],
  history: ReadonlyMap<string, Done>,
): Promise<ChunkOutcome> {
  const { leftAlone, free } = await apart(work, grant, ids, history, deletedSince, "0");
  const outcome = await restoreMany(work, grant, free, signal);
  return { ...outcome, leftAlone };
}

/**
 * What can be undone, and what somebody changed since, as far as the caller sees it. A record that the caller cannot read any
 * more is among the first: undoing it says that it is not there. `wanted`: what the undo makes of `deleted`. What somebody has
 * made so already is neither.
 */
async function apart(
  { transaction, caller }: Work,
  { type, fields }: Grant,
  ids: readonly string[],
  history: ReadonlyMap<string, Done>,
  since: (done: Done) => ReadonlySet<string>,
  wanted: "0" | "1",
): Promise<{ readonly leftAlone: Record<string, readonly string[]>; readonly free: readonly string[] }> {
  const { rows } = await transaction.run(lockRecords(type, caller, ids, ["id", "deleted"]));
  const deleted = new Map(rows.map(([id, flag]) => [id, flag]));
  const leftAlone: Record<string, readonly string[]> = {};
  const free: string[] = [];
  for (const id of ids) {
    const done = history.get(id);
    if (!done || deleted.get(id) === wanted) continue;
    const changed = since(done);
    if (changed.size > 0 && deleted.has(id)) leftAlone[id] = [...changed].filter((name) => fields.visible.has(name));
    else free.push(id);
  }
  return { leftAlone, free };
}
