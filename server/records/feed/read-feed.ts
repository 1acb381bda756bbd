// Takes a position in the feed of changes; returns what happened since, as far as the caller can read it, and the new
// position. Continuing from there returns everything else exactly once.
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { type Caller, rightsOf } from "../../access/caller.ts";
import { mayOperate } from "../../access/matrix.ts";
import type { Database } from "../../database/database.ts";
import { currentHead, type Head, publishEvents } from "../../database/events/publish-events.ts";
import { apartFromClient, patiently } from "../../database/scope.ts";
import { sql } from "../../database/sql.ts";
import { Recent } from "../../lib/memory/recent.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import type { FeedCursor } from "./feed-cursor.ts";
import { type FeedEvent, MOST_BYTES, presentEvents, type StoredEvent } from "./present-events.ts";

export interface FeedQuestion {
  readonly caller: Caller;
  readonly snapshot: Snapshot;
  /** Undefined: where the feed is now. */
  readonly after: FeedCursor | undefined;
  /** Undefined: all. */
  readonly types: readonly RecordType[] | undefined;
  readonly limit: number;
  /** For whoever was just told that there is something: it has its position. */
  readonly isPublished?: boolean;
  /** Where the events end, for whoever was just told. */
  readonly head?: Head | undefined;
}

export interface FeedPage {
  readonly events: readonly FeedEvent[];
  readonly cursor: FeedCursor;
  /** There is more already. */
  readonly more: boolean;
}

/** Read at once, and looked through for one page: most may be of records that the caller may not read. */
const CHUNK = 1_000;
const MOST_SCANNED = 10_000;

export async function readFeed(db: Database, question: FeedQuestion): Promise<FeedPage> {
  const { caller, after, limit } = question;
  const head = question.head ?? (await (question.isPublished ? currentHead : publishEvents)(db, caller.organizationId));
  const at = (position: bigint): FeedCursor => ({
    organizationId: caller.organizationId,
    era: head.era,
    position,
    rights: rightsOf(caller),
  });
  if (after === undefined) return { events: [], cursor: at(head.position), more: false };
  checkCursor(after, caller, head);
  const events: FeedEvent[] = after.rights === rightsOf(caller) ? [] : [listAgain(after.position)];
  let position = after.position;
  let room = MOST_BYTES;
  const isFull = () => events.length >= limit || room <= 0;
  for (let scanned = 0; scanned < MOST_SCANNED && position < head.position && !isFull(); scanned += CHUNK) {
    const rows = await patiently(sharedEvents(db, question, position, head));
    const shown = await presentEvents(db, question, rows, limit - events.length, room);
    events.push(...shown.events);
    room = shown.room;
    if (!shown.isAll) {
      position = shown.events.at(-1)?.position ?? position;
      break;
    }
    // What is past the last one of the types that were asked for is not for this reader.
    position = rows.length < CHUNK ? head.position : (rows.at(-1)?.position ?? position);
  }
  return { events, cursor: at(position), more: position < head.position };
}

/** The set of records the caller can read changed since the place was handed out. */
const listAgain = (position: bigint): FeedEvent => ({
  position,
  at: null,
  operation: "reset",
  controller: null,
  id: null,
});

function checkCursor({ organizationId, era, position }: FeedCursor, caller: Caller, head: Head): void {
  if (organizationId !== caller.organizationId) {
    throw new Failure("malformed_parameter", { with: { name: "after", reason: say("cursor_of_others") } });
  }
  if (era !== head.era || position > head.position || position < head.forgotten) throw new Failure("changes_forgotten");
}

const stored = sql`position::text, record_type, record_id, operation, revision::text, acl_before::text, acl_after::text,
  array_to_string(principals, ' '), at::text`;

type Events = Promise<readonly StoredEvent[]>;

/** What many who listen ask for at the same moment. What has its position never changes, so it is read once for all of them. */
const recent = new WeakMap<Database, Map<string, Events>>();
const MOST_RECENT = 64;
const MOST_SHARED = 100n;

/** Events from `after` to the head, a chunk at most. What is not the caller's to list is not read either. */
function sharedEvents(db: Database, { caller, snapshot, types }: FeedQuestion, after: bigint, head: Head): Events {
  const { organizationId } = caller;
  const wanted = (types ?? [...snapshot.types.values()]).filter((type) => mayOperate(caller, type, "index"));
  const keys = wanted.map(({ key }) => key);
  if (head.position - after > MOST_SHARED) return readEvents(db, organizationId, keys, after, head.position);
  const known = recent.get(db) ?? new Recent<string, Events>(MOST_RECENT);
  recent.set(db, known);
  const name = [organizationId, head.era, after, head.position, ...keys].join(" ");
  const before = known.get(name);
  if (before) return before;
  // Others wait for it who have not gone away when the first of them has.
  const events = apartFromClient(() => readEvents(db, organizationId, keys, after, head.position));
  known.set(name, events);
  events.catch(() => known.delete(name));
  return events;
}

async function readEvents(
  db: Database,
  organizationId: string,
  types: readonly string[],
  after: bigint,
  upTo: bigint,
): Events {
  const rows = await db.prepared(sql`
    select ${stored} from core__events e
    where organization_id = ${organizationId}::bigint and position > ${String(after)}::bigint
      and position <= ${String(upTo)}::bigint and record_type = any(${types}::text[])
    order by e.position limit ${CHUNK}::bigint`);
  return rows.map(storedEvent);
}

/** Events by their positions, as far as they are not forgotten. What each is to somebody is present-events.ts's to say. */
export async function readEventsAt(
  db: Database,
  organizationId: string,
  positions: readonly string[],
): Promise<readonly StoredEvent[]> {
  if (positions.length === 0) return [];
  const rows = await db.prepared(sql`
    select ${stored} from core__events
    where organization_id = ${organizationId}::bigint and position = any(${positions}::bigint[])`);
  return rows.map(storedEvent);
}

const storedEvent = (row: readonly (string | null)[]): StoredEvent => {
  const [position, type, id, operation, revision, before, now, principals, at] = row;
  return {
    position: BigInt(position ?? 0),
    type: type ?? "",
    id: id ?? null,
    operation: operation ?? "",
    revision: revision ?? null,
    before: before ?? null,
    after: now ?? null,
    principals: principals == null ? null : principals.split(" ").map(Number),
    at: at ?? "",
  };
};
