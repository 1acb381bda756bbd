// Takes a delivery; gives the body that is sent, made at that moment with the rights of that moment: nothing of a record is kept for
// later. A message says why there is none.
import { Failure } from "../../contract/failures.ts";
import { type Message, say } from "../../contract/messages.ts";
import { mayOperate } from "../access/matrix.ts";
import type { Database } from "../database/database.ts";
import { instant } from "../lib/instant.ts";
import { findType, type Snapshot } from "../metadata/snapshot.ts";
import { type FeedEvent, presentEvents, toldEvents } from "../records/feed/present-events.ts";
import { readEventsAt } from "../records/feed/read-feed.ts";
import { preparedReader, viewRecord } from "../records/read/view-record.ts";
import { type Eyes, listable, type Webhook } from "./webhook.ts";

export interface Delivery {
  readonly id: string;
  readonly operation: string;
  readonly recordType: string | null;
  readonly recordId: string | null;
  readonly position: string | null;
  readonly attempts: number;
  readonly created: string;
}

/** A record that is larger is left out; whoever gets the change can ask for it. */
const MOST_RECORD_BYTES = 256 * 1024;

export type Rendered = { readonly body: string } | { readonly problem: Message };

export async function renderDelivery(
  database: Database,
  snapshot: Snapshot,
  webhook: Webhook,
  eyes: Eyes,
  delivery: Delivery,
): Promise<Rendered> {
  const { operation, recordType, position } = delivery;
  if (operation === "test") return { body: bodyOf(webhook, "webhook.test", { operation }, undefined) };
  if (recordType === null) {
    return { body: bodyOf(webhook, "reset", { operation, controller: null, id: null }, undefined) };
  }
  const [type] = listable(snapshot, [recordType], eyes.caller);
  const unseen = { problem: say("delivery_unseen", { user: eyes.caller.fullName }) };
  if (!type) return unseen;
  const [stored] = await readEventsAt(database, webhook.organizationId, [position ?? "0"]);
  if (!stored) return { problem: say("delivery_forgotten") };
  const { events } = await presentEvents(database, { caller: eyes.caller, snapshot }, [stored]);
  const [event] = events;
  if (!event) return unseen;
  if (eyes.approver && operation !== "reset") {
    const approved = await toldEvents(database, { caller: eyes.approver, snapshot }, [stored]);
    if (approved.length === 0) return unseen;
  }
  const { position: _, ...change } = event;
  const record = webhook.includesRecord ? await readRecord(database, snapshot, eyes, event) : undefined;
  return { body: bodyOf(webhook, `${type.module}.${type.controller}.${event.operation}`, change, record) };
}

/** As `view` gives it; null where it can't be opened any more, or is too large. */
async function readRecord(
  database: Database,
  snapshot: Snapshot,
  { caller }: Eyes,
  { controller, id }: FeedEvent,
): Promise<unknown> {
  const type = findType(snapshot, controller ?? "");
  if (!type || id === null || !mayOperate(caller, type, "view")) return null;
  try {
    const { body } = await viewRecord(preparedReader(database), snapshot, type, caller, "view", id);
    const data = body.data as Readonly<Record<string, unknown>> | undefined;
    const record = data?.[type.alias] ?? null;
    return Buffer.byteLength(JSON.stringify(record)) > MOST_RECORD_BYTES ? null : record;
  } catch (error) {
    if (error instanceof Failure && error.status < 500) return null;
    throw error;
  }
}

const bodyOf = ({ id }: Webhook, type: string, change: object, record: unknown): string =>
  JSON.stringify({
    type,
    timestamp: `${instant().replace(" ", "T")}Z`,
    data: { webhook_id: id, change, ...(record === undefined ? {} : { record }) },
  });
