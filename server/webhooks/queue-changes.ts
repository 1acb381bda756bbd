// Takes a webhook; reads what happened since it last looked, as the user it acts as, and queues a delivery for each change that it
// is for. Queued and moved on in one transaction: any number of processes may do so, each change is queued once.
import { Failure } from "../../contract/failures.ts";
import { isMessage, type Message, say } from "../../contract/messages.ts";
import { type Caller, rightsOf } from "../access/caller.ts";
import { mayRead } from "../access/visibility.ts";
import { forAllOrganizations } from "../database/citus/places.ts";
import type { Database } from "../database/database.ts";
import { currentHead } from "../database/events/publish-events.ts";
import { ident, sql } from "../database/sql.ts";
import { instant } from "../lib/instant.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";
import { planFilter } from "../plan/filter.ts";
import { compileFilter } from "../query/filter.ts";
import { createJoins } from "../query/joins.ts";
import { isAmongIds } from "../query/lock-rows.ts";
import { type FeedEvent, toldEvents } from "../records/feed/present-events.ts";
import { type FeedPage, readEventsAt, readFeed } from "../records/feed/read-feed.ts";
import { appendRows } from "../records/save/insert-rows.ts";
import { switchOff } from "./switch-off.ts";
import {
  conditionOf,
  cursorOf,
  DELIVERIES,
  type Eyes,
  eyesOf,
  listable,
  readWebhook,
  WEBHOOKS,
  type Webhook,
} from "./webhook.ts";

export interface Behind {
  readonly organizationId: string;
  readonly webhookId: string;
}

/** More than this waits in the events themselves. */
const MOST_WAITING = 1_000;
const PAGE = 500;
const MOST_AT_ONCE = 200;

/** Active webhooks whose organizations have events that they have not seen yet, those first that waited longest. */
export async function webhooksBehind(database: Database): Promise<readonly Behind[]> {
  const rows = await forAllOrganizations(database, (which) =>
    database.rows(sql`
      select s.organization_id::text as organization_id, s.webhook_id::text as webhook_id from core__webhook_state s
      where ${which} and s.secret is not null
        and exists (select 1 from core__event_heads h where h.organization_id = s.organization_id
          and (h.position > s.position or h.era <> s.era))
        and exists (select 1 from core__webhooks w where w.organization_id = s.organization_id and w.id = s.webhook_id
          and w.is_active = 1 and w.deleted = 0)
        and (select count(*) from core__webhook_deliveries d where d.organization_id = s.organization_id
          and d.related_type = ${WEBHOOKS} and d.related_id = s.webhook_id::text and d.status = 'waiting') < ${MOST_WAITING}::bigint
      order by s.served limit ${MOST_AT_ONCE}::bigint`),
  );
  return rows.flat().map((row) => ({ organizationId: row.organization_id ?? "", webhookId: row.webhook_id ?? "" }));
}

/** Gives how many deliveries it queued. */
export async function queueChanges(
  database: Database,
  snapshot: Snapshot,
  { organizationId, webhookId }: Behind,
): Promise<number> {
  const webhook = await readWebhook(database, organizationId, webhookId);
  if (!webhook?.isActive) return 0;
  const eyes = await eyesOf(database, snapshot, webhook);
  if ("problem" in eyes) return off(database, snapshot, webhook, eyes.problem);
  const types = listable(snapshot, webhook.recordTypes, eyes.caller);
  if (types.length === 0)
    return off(database, snapshot, webhook, say("webhook_off_types", { user: eyes.caller.fullName }));
  const page = await readPage(database, snapshot, webhook, eyes.caller, types);
  const chosen = page.events.filter(({ operation }) => webhook.events?.has(operation) ?? true);
  let wanted: readonly FeedEvent[];
  try {
    wanted = await meant(database, snapshot, webhook, eyes.caller, await seenByBoth(database, snapshot, eyes, chosen));
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    return off(database, snapshot, webhook, say("webhook_off_condition", { reason: reasonOf(error) }));
  }
  return queue(database, snapshot, webhook, eyes.caller, page, wanted);
}

export function reasonOf({ said }: Failure): Message {
  const { reason } = said.params;
  return isMessage(reason) ? reason : said;
}

async function off(database: Database, snapshot: Snapshot, webhook: Webhook, why: Message): Promise<number> {
  await database.transaction((transaction) => switchOff(transaction, snapshot, webhook, why));
  return 0;
}

async function readPage(
  database: Database,
  snapshot: Snapshot,
  webhook: Webhook,
  caller: Caller,
  types: readonly RecordType[],
): Promise<FeedPage> {
  const head = await currentHead(database, webhook.organizationId);
  const question = { caller, snapshot, types, limit: PAGE, isPublished: true };
  try {
    return await readFeed(database, { ...question, after: cursorOf(webhook, caller, head.era) });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "changes_forgotten") throw error;
    // What it has not seen is gone: whoever receives it lists again.
    const now = await readFeed(database, { ...question, isPublished: false, after: undefined });
    return { ...now, events: [listAgain(now.cursor.position)] };
  }
}

const listAgain = (position: bigint): FeedEvent => ({
  position,
  at: null,
  operation: "reset",
  controller: null,
  id: null,
});

/** Who chose another user to act as does not come to know what that user alone may. */
async function seenByBoth(
  database: Database,
  snapshot: Snapshot,
  { caller, approver }: Eyes,
  events: readonly FeedEvent[],
): Promise<readonly FeedEvent[]> {
  if (!approver) return events;
  const isTold = ({ operation }: FeedEvent) => operation === "reset";
  const positions = events.filter((event) => !isTold(event)).map(({ position }) => String(position));
  const stored = await readEventsAt(database, caller.organizationId, positions);
  const told = await toldEvents(database, { caller: approver, snapshot }, stored);
  const seen = new Set(told.map(({ event }) => event.position));
  return events.filter((event) => isTold(event) || seen.has(event.position));
}

/** Nobody can tell whether these match any more: whoever keeps a copy must hear of them. */
const unread: ReadonlySet<string> = new Set(["purge", "invisible", "reset"]);

/** Those whose records match the condition now, as the user that it acts as sees them. */
async function meant(
  database: Database,
  snapshot: Snapshot,
  webhook: Webhook,
  caller: Caller,
  events: readonly FeedEvent[],
): Promise<readonly FeedEvent[]> {
  const where = conditionOf(webhook.condition);
  if (!where || events.length === 0) return events;
  const matching = new Set<string>();
  const asked = events.filter(({ operation }) => !unread.has(operation));
  for (const key of new Set(asked.map(({ controller }) => controller ?? ""))) {
    const type = requireType(snapshot, key);
    const ids = [...new Set(asked.flatMap(({ controller, id }) => (controller === key && id !== null ? [id] : [])))];
    const joins = createJoins({ alias: "r", type }, caller);
    const filter = compileFilter(planFilter({ snapshot, type, caller, now: new Date() }, where), joins);
    const rows = await database.rows(sql`
      select r.id::text as id from ${ident(type.table)} r ${joins.toSql()}
      where ${mayRead(caller, type, "r", "few")} and ${isAmongIds(type, ids)} and ${filter}`);
    for (const { id } of rows) matching.add(`${key} ${id}`);
  }
  return events.filter(({ operation, controller, id }) => unread.has(operation) || matching.has(`${controller} ${id}`));
}

const queue = (
  database: Database,
  snapshot: Snapshot,
  webhook: Webhook,
  caller: Caller,
  { cursor }: FeedPage,
  events: readonly FeedEvent[],
): Promise<number> =>
  database.transaction(async (transaction) => {
    const moved = await transaction.run(sql`
      update core__webhook_state set era = ${cursor.era}, position = ${String(cursor.position)}::bigint, rights = ${rightsOf(caller)}
      where organization_id = ${webhook.organizationId}::bigint and webhook_id = ${webhook.id}::bigint
        and position = ${webhook.position}::bigint and era is not distinct from ${webhook.era}
        and rights is not distinct from ${webhook.rights}`);
    // Another process was faster, or somebody turned it off and on.
    if (moved.count === 0) return 0;
    const rows = events.map(({ operation, controller, id, position }) => ({
      ...deliveryOf(webhook, operation),
      record_type: controller,
      record_id: id,
      position: String(position),
    }));
    await appendRows(transaction, snapshot, requireType(snapshot, DELIVERIES), webhook.organizationId, rows);
    return rows.length;
  });

/** A new delivery, due at once. */
export const deliveryOf = ({ id, ownerId }: Pick<Webhook, "id" | "ownerId">, operation: string) => ({
  related_type: WEBHOOKS,
  related_id: id,
  owned_by: ownerId,
  operation,
  status: "waiting",
  attempts: "0",
  next_attempt: instant(),
});
