// Takes events as they are stored; gives those that the caller may know of, in its own terms: a record that it comes to see became
// visible, one that it no longer sees invisible. What changed is told where the record may be read now.
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { mayRead } from "../../access/visibility.ts";
import type { Database } from "../../database/database.ts";
import { expression, quote, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { isAmongIds } from "../../query/lock-rows.ts";
import { type PresentedRevision, presentRevisions } from "../history/read-history.ts";
import { changesOfEntry } from "../history/revisions.ts";
import { preparedReader } from "../read/view-record.ts";

export interface StoredEvent {
  readonly position: bigint;
  readonly type: string;
  readonly id: string | null;
  readonly operation: string;
  readonly revision: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly principals: readonly number[] | null;
  readonly at: string;
}

export interface FeedEvent {
  readonly position: bigint;
  readonly at: string | null;
  readonly operation: string;
  readonly controller: string | null;
  readonly id: string | null;
  readonly [name: string]: unknown;
}

interface Reader {
  readonly caller: Caller;
  readonly snapshot: Snapshot;
}

export async function presentEvents(
  db: Database,
  reader: Reader,
  events: readonly StoredEvent[],
): Promise<readonly FeedEvent[]> {
  const shown = new Map<StoredEvent, FeedEvent>();
  for (const [key, some] of byType(events)) {
    await presentType(db, reader, requireType(reader.snapshot, key), some, shown);
  }
  return events.flatMap((event) => shown.get(event) ?? []);
}

function byType(events: readonly StoredEvent[]): ReadonlyMap<string, readonly StoredEvent[]> {
  const groups = new Map<string, StoredEvent[]>();
  for (const event of events) {
    const group = groups.get(event.type);
    if (group) group.push(event);
    else groups.set(event.type, [event]);
  }
  return groups;
}

async function presentType(
  db: Database,
  reader: Reader,
  type: RecordType,
  events: readonly StoredEvent[],
  shown: Map<StoredEvent, FeedEvent>,
): Promise<void> {
  const { caller } = reader;
  const sets = await readableSets(db, caller, type, events);
  const told = events.flatMap((event) => {
    const operation = operationFor(event, type, caller, sets);
    return operation === undefined ? [] : [{ event, operation }];
  });
  const detailed = told.filter(({ event, operation }) => event.revision !== null && withChanges.has(operation));
  const revisions = await readRevisions(
    db,
    reader,
    type,
    detailed.map(({ event }) => event),
  );
  for (const { event, operation } of told) {
    const revision = withChanges.has(operation) ? revisions.get(keyOf(event)) : undefined;
    const isMove = operation === "edit" && revision?.changes.some(({ field }) => field === "current_stage");
    shown.set(event, {
      position: event.position,
      at: event.at,
      operation: isMove ? "transition" : operation,
      controller: type.key,
      id: event.id,
      ...(event.revision === null ? {} : { revision: event.revision }),
      ...(revision === undefined ? {} : detailsOf(revision)),
    });
  }
}

const withChanges: ReadonlySet<string> = new Set(["add", "edit", "delete", "restore"]);

const detailsOf = ({ created_by, __created_by, job_id, changes }: PresentedRevision) => ({
  created_by,
  __created_by,
  job_id,
  changes,
});

/** What it is to this caller; undefined: nothing. */
function operationFor(
  event: StoredEvent,
  type: RecordType,
  caller: Caller,
  sets: ReadonlySet<string>,
): string | undefined {
  const { operation, before, after, principals } = event;
  if (operation === "reset") {
    return principals === null || principals.some((id) => caller.principals.includes(id)) ? "reset" : undefined;
  }
  const could = before !== null && sets.has(before);
  const can = after !== null && sets.has(after);
  if (before === null) return can ? operation : undefined;
  if (after === null) return could ? operation : undefined;
  if (could && can && operation === "compute") return seesComputed(type, caller) ? "edit" : undefined;
  if (could && can) return operation === "access" ? undefined : operation;
  if (can) return "visible";
  return could ? "invisible" : undefined;
}

/** Who sees no computed field must not learn that one changed: it tells of records that they may not read. */
function seesComputed(type: RecordType, caller: Caller): boolean {
  const { visible } = fieldMask(type, caller);
  return [...type.computed.keys()].some((name) => visible.has(name));
}

async function readableSets(
  db: Database,
  caller: Caller,
  type: RecordType,
  events: readonly StoredEvent[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(events.flatMap(({ before, after }) => [before, after]).filter((id) => id !== null))];
  if (ids.length === 0) return new Set();
  const rows = await db.prepared(sql`
    select r.acl_id::text from (
      select organization_id, id as acl_id from core__acl_sets
      where organization_id = ${caller.organizationId}::bigint and record_type = ${type.key} and id = any(${ids}::integer[])) r
    where ${mayRead(caller, type, "r", "few")}`);
  return new Set(rows.flatMap(([id]) => id ?? []));
}

const keyOf = ({ id, revision }: Pick<StoredEvent, "id" | "revision">): string => `${id} ${revision}`;

/** By record and number. Those of records that the caller cannot open now are not there. */
async function readRevisions(
  db: Database,
  { caller, snapshot }: Reader,
  type: RecordType,
  events: readonly StoredEvent[],
): Promise<ReadonlyMap<string, PresentedRevision>> {
  if (events.length === 0) return new Map();
  const ids = [...new Set(events.flatMap(({ id }) => id ?? []))];
  const rows = await db.prepared(sql`
    with open as materialized (
      select r.id::text as id from ${expression(quote(type.table))} r
      where ${mayRead(caller, type, "r", "few")} and r.deleted = 0 and ${isAmongIds(type, ids)}
    )
    select v.number::text, v.operation, v.created::text, v.created_by::text, v.job_id::text, ${changesOfEntry(type, "v")}, v.related_id
    from unnest(${events.map(({ id }) => id)}::text[], ${events.map(({ revision }) => revision)}::bigint[]) as e(id, number)
    join open on open.id = e.id
    join core__revisions v on v.organization_id = ${caller.organizationId}::bigint and v.related_type = ${type.key}
      and v.related_id = e.id and v.number = e.number and v.deleted = 0`);
  const presented = await presentRevisions(preparedReader(db), snapshot, type, caller, rows);
  return new Map(presented.map((one, index) => [keyOf({ id: rows[index]?.[6] ?? null, revision: one.revision }), one]));
}
