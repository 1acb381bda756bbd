// Takes stored events; returns those the caller may know about, from the caller's point of view: a record can become visible or
// invisible to the caller. Changed values are included if the caller can read the record now.
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { mayRead } from "../../access/visibility.ts";
import type { Database } from "../../database/database.ts";
import { expression, quote, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
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

export interface PresentedEvents {
  readonly events: readonly FeedEvent[];
  /** Whether these are all; otherwise the rest is for the next page. */
  readonly isAll: boolean;
  /** What is left of the room for changes. */
  readonly room: number;
}

/** What the changes on one page come to at most: a record can hold texts of megabytes, and a page a thousand changes of it. */
export const MOST_BYTES = 4_000_000;

/** Changes read at once: what does not fit any more was read for nothing. */
const SLICE = 100;

/** `most`: at most so many. Fewer, and at least one, where what changed takes more than the `room` there is. */
export async function presentEvents(
  db: Database,
  reader: Reader,
  stored: readonly StoredEvent[],
  most = Number.POSITIVE_INFINITY,
  room = MOST_BYTES,
): Promise<PresentedEvents> {
  const all = await toldEvents(db, reader, stored);
  const told = all.slice(0, most);
  const details = new Map<StoredEvent, PresentedRevision | null>();
  let left = room;
  let read = 0;
  for (; read < told.length && left > 0; read += SLICE) {
    for (const [key, some] of byType(told.slice(read, read + SLICE).filter(hasDetails))) {
      left -= await readDetails(db, reader, requireType(reader.snapshot, key), some, left, details);
    }
  }
  const events: FeedEvent[] = [];
  for (const { event, operation } of told.slice(0, read)) {
    const revision = details.get(event);
    if (revision === null) break;
    const isMove = operation === "edit" && revision?.changes.some(({ field }) => field === "current_stage");
    events.push({
      position: event.position,
      at: event.at,
      operation: isMove ? "transition" : operation,
      controller: event.type,
      id: event.id,
      ...(event.revision === null ? {} : { revision: event.revision }),
      ...(revision === undefined ? {} : detailsOf(revision)),
    });
  }
  return { events, isAll: events.length === all.length, room: left };
}

interface Told {
  readonly event: StoredEvent;
  readonly operation: string;
}

/** Those that the caller may know of, with what each is to it. */
export async function toldEvents(
  db: Database,
  { caller, snapshot }: Reader,
  events: readonly StoredEvent[],
): Promise<readonly Told[]> {
  const sets = new Map<string, ReadonlySet<string>>();
  for (const [key, some] of byType(events.map((event) => ({ event })))) {
    sets.set(key, await readableSets(db, caller, requireType(snapshot, key), some));
  }
  return events.flatMap((event) => {
    const operation = operationFor(event, requireType(snapshot, event.type), caller, sets.get(event.type) ?? none);
    return operation === undefined ? [] : [{ event, operation }];
  });
}

const none: ReadonlySet<string> = new Set();

function byType(told: readonly Pick<Told, "event">[]): ReadonlyMap<string, readonly StoredEvent[]> {
  const groups = new Map<string, StoredEvent[]>();
  for (const { event } of told) {
    const group = groups.get(event.type);
    if (group) group.push(event);
    else groups.set(event.type, [event]);
  }
  return groups;
}

const hasDetails = ({ event, operation }: Told): boolean => event.revision !== null && withChanges.has(operation);

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

const keyOf = (id: string | null | undefined, revision: string | null | undefined): string => `${id} ${revision}`;

/**
 * What changed, by event, and how much it is. Those of records that the caller cannot open now are not there; null: too much for this
 * page. By the keys of both tables: a join of two lists as long as a page would take longer than all the rest.
 */
async function readDetails(
  db: Database,
  { caller, snapshot }: Reader,
  type: RecordType,
  events: readonly StoredEvent[],
  room: number,
  details: Map<StoredEvent, PresentedRevision | null>,
): Promise<number> {
  const rows = await db.prepared(sql`
    select v.number::text, v.operation, v.created::text, v.created_by::text, v.job_id::text,
      case when sum(octet_length(c.changes)) over (order by e.ord) - octet_length(c.changes) <= ${Math.max(room, 0)}::bigint then c.changes end,
      v.related_id
    from unnest(${events.map(({ id }) => id)}::text[], ${events.map(({ revision }) => revision)}::bigint[])
      with ordinality as e(id, number, ord)
    join ${expression(quote(type.table))} r on r.id = e.id::${idTypeOf(type)} and r.deleted = 0 and ${mayRead(caller, type, "r", "few")}
    join core__revisions v on v.organization_id = ${caller.organizationId}::bigint and v.related_type = ${type.key}
      and v.related_id = e.id and v.number = e.number and v.deleted = 0
    cross join lateral (select coalesce(${changesOfEntry(type, "v")}, '{}') as changes offset 0) c
    order by e.ord`);
  const fitting = rows.filter((row) => row[5] !== null);
  const presented = await presentRevisions(preparedReader(db), snapshot, type, caller, fitting);
  const found = new Map<string, PresentedRevision | null>(rows.map((row) => [keyOf(row[6], row[0]), null]));
  for (const [index, one] of presented.entries()) found.set(keyOf(fitting[index]?.[6], one.revision), one);
  for (const event of events) {
    const one = found.get(keyOf(event.id, event.revision));
    if (one !== undefined) details.set(event, one);
  }
  // What did not fit: nothing more is read for this page.
  if (fitting.length < rows.length) return room;
  return fitting.reduce((bytes, row) => bytes + Buffer.byteLength(row[5] ?? ""), 0);
}
