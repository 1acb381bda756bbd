// Queues what webhooks are to send and sends it, a few at a time, in every process: an endpoint that is slow holds up neither other
// organizations nor, past its share, its own. Each delivery is leased by one process; one that was sent and not written down yet when
// its process died is sent again under the same id. Logs ids and outcomes, never addresses, bodies or secrets.
import type { Logger } from "pino";
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { write } from "../../contract/texts/write.ts";
import type { Database } from "../database/database.ts";
import { inOrganization } from "../database/scope.ts";
import { sql } from "../database/sql.ts";
import type { AddressRule } from "../lib/public-address.ts";
import type { Seal } from "../lib/secrets/seal.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { type Claimed, claimDelivery } from "./claim-delivery.ts";
import { MOST_ATTEMPTS, noteDropped, noteOutcome } from "./note-outcome.ts";
import { post } from "./post.ts";
import { type Behind, queueChanges, webhooksBehind } from "./queue-changes.ts";
import { renderDelivery } from "./render-delivery.ts";
import { openSecrets } from "./secrets.ts";
import { signDelivery } from "./sign-delivery.ts";
import { languageOfOwner, switchOff } from "./switch-off.ts";
import { eyesOf, readWebhook } from "./webhook.ts";

export interface WebhookSources {
  readonly database: Database;
  readonly snapshot: () => Snapshot;
  readonly seal: Seal;
  readonly addresses: AddressRule;
  /** How long statements for one delivery may take. */
  readonly statementMs: number;
  readonly log: Pick<Logger, "warn" | "info" | "debug">;
}

export interface WebhookWorker {
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
/** Deliveries under way at once, and of them those of one organization; organizations whose changes are queued at once. */
const AT_ONCE = { all: 12, organization: 4, queueing: 4 } as const;

export function startWebhooks(sources: WebhookSources): WebhookWorker {
  const { database, log } = sources;
  const stopping = new AbortController();
  const { signal } = stopping;
  const lanes = new Set<Promise<void>>();
  const underWay = new Set<Claimed>();
  const queueing = new Map<string, Promise<void>>();
  let claiming: Promise<unknown> = Promise.resolve();
  let isLooking = false;

  const forOrganization = <T>(organizationId: string, work: () => Promise<T>): Promise<T> =>
    inOrganization(organizationId, sources.statementMs, work);

  /** One after the other: each sees what the one before it took. */
  const claim = (): Promise<Claimed | undefined> => {
    const next = claiming.then(async () => {
      if (signal.aborted) return undefined;
      const claimed = await claimDelivery(database, fullOf(underWay));
      if (claimed) underWay.add(claimed);
      return claimed;
    });
    claiming = next.catch(() => undefined);
    return next;
  };

  const drain = async (): Promise<void> => {
    for (let claimed = await claim(); claimed !== undefined; claimed = await claim()) {
      const one = claimed;
      openLane();
      await deliver(sources, one, forOrganization, signal)
        .catch((error: unknown) => leave(one, error))
        .catch((error: unknown) => log.debug(error, "a delivery is taken up again"))
        .finally(() => underWay.delete(one));
    }
  };

  /** Another process may do better; one that nobody can make is not tried for ever. */
  const leave = async (claimed: Claimed, error: unknown): Promise<void> => {
    log.warn({ err: error, delivery: claimed.id }, "a delivery could not be made");
    const isOver = claimed.attempts >= MOST_ATTEMPTS || (error instanceof Failure && error.status < 500);
    if (isOver) await noteDropped(database, claimed, write(say("delivery_unmade"), "en"));
  };

  const openLane = (): void => {
    if (signal.aborted || lanes.size >= AT_ONCE.all) return;
    const lane = drain()
      .catch((error: unknown) => log.debug(error, "deliveries were not looked for this time"))
      .finally(() => lanes.delete(lane));
    lanes.add(lane);
  };

  const queueFor = (organizationId: string, behind: readonly Behind[]): void => {
    const work = (async () => {
      for (const one of behind) {
        if (signal.aborted) return;
        const queued = await forOrganization(organizationId, () =>
          queueChanges(database, sources.snapshot(), one),
        ).catch(async (error: unknown) => {
          log.warn({ err: error, webhook: one.webhookId }, "changes were not queued this time");
          // It waits for all others, so that it can hold up none of them.
          await database.run(sql`
            update core__webhook_state set served = now() at time zone 'utc'
            where organization_id = ${organizationId}::bigint and webhook_id = ${one.webhookId}::bigint`);
          return 0;
        });
        if (queued > 0) openLane();
      }
    })()
      .catch((error: unknown) => log.debug(error, "changes were not queued this time"))
      .finally(() => queueing.delete(organizationId));
    queueing.set(organizationId, work);
  };

  const look = async (): Promise<void> => {
    const behind = await webhooksBehind(database);
    for (const id of new Set(behind.map(({ organizationId }) => organizationId))) {
      if (queueing.size >= AT_ONCE.queueing) break;
      if (!queueing.has(id))
        queueFor(
          id,
          behind.filter(({ organizationId }) => organizationId === id),
        );
    }
    openLane();
  };

  const looking = setInterval(() => {
    if (isLooking || signal.aborted) return;
    isLooking = true;
    look()
      .catch((error: unknown) => log.debug(error, "webhooks were not looked for this time"))
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_EVERY_MS).unref();

  return {
    close: async () => {
      clearInterval(looking);
      stopping.abort();
      await Promise.all([...lanes, ...queueing.values()]);
    },
  };
}

/** As at every gate: past its first, an organization takes another only while more are free than it has. */
function fullOf(underWay: ReadonlySet<Claimed>): readonly string[] {
  const free = AT_ONCE.all - underWay.size;
  const counts = new Map<string, number>();
  for (const { organizationId } of underWay) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1);
  return [...counts].flatMap(([id, mine]) => (mine < AT_ONCE.organization && free > mine ? [] : [id]));
}

type ForOrganization = <T>(organizationId: string, work: () => Promise<T>) => Promise<T>;

async function deliver(
  { database, snapshot, seal, addresses, log }: WebhookSources,
  claimed: Claimed,
  forOrganization: ForOrganization,
  signal: AbortSignal,
): Promise<void> {
  const { organizationId, webhookId, id } = claimed;
  const made = await forOrganization(organizationId, async () => {
    const webhook = await readWebhook(database, organizationId, webhookId);
    if (!webhook?.isActive) return undefined;
    const eyes = await eyesOf(database, snapshot(), webhook);
    if ("problem" in eyes) {
      await database.transaction((transaction) => switchOff(transaction, snapshot(), webhook, eyes.problem));
      return undefined;
    }
    const secrets = openSecrets(seal, webhook);
    if (secrets.length === 0) {
      const why = say("webhook_no_secret");
      await database.transaction((transaction) => switchOff(transaction, snapshot(), webhook, why));
      return undefined;
    }
    const rendered = await renderDelivery(database, snapshot(), webhook, eyes, claimed);
    if ("body" in rendered) return { webhook, secrets, body: rendered.body };
    const language = await languageOfOwner(database, organizationId, webhookId);
    await noteDropped(database, claimed, write(rendered.problem, language));
    return undefined;
  });
  if (!made) return;
  const { webhook, secrets, body } = made;
  const seconds = Math.floor(Date.now() / 1000);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Dossier-Webhooks",
    accept: "*/*",
    ...signDelivery(secrets, `msg_${id}`, seconds, body),
  };
  const posted = await post(webhook.address, headers, body, addresses, signal);
  // Whoever stops leaves it to the next: nobody can tell whether it was taken.
  if (signal.aborted && posted.status === undefined) return giveBack(database, claimed);
  const outcome = await noteOutcome(database, snapshot(), claimed, posted);
  const about = { delivery: id, organization: organizationId, webhook: webhookId, status: posted.status, outcome };
  log.info(about, "a webhook was called");
}

async function giveBack(database: Database, { organizationId, id }: Claimed): Promise<void> {
  await database.run(sql`
    update core__webhook_deliveries set next_attempt = now() at time zone 'utc'
    where organization_id = ${organizationId}::bigint and id = ${id}::uuid and status = 'waiting'`);
}
