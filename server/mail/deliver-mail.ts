// Takes messages out of the outbox when they are due and sends them, a few at a time: one that hangs holds up neither other
// organizations nor other domains. What fails waits longer each time. Any number of processes may run it: a message is leased
// by one. Logs kinds and places, never addresses, words or links.

import type { Logger } from "pino";
import type { Database, Row } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { storedJson } from "../database/stored-json.ts";
import type { Tracer } from "../lib/tracing/tracer.ts";
import { claimMail, type Full, type MailRules, type TellAdministrators } from "./claim-mail.ts";
import { mailContentSchema } from "./content.ts";
import { renderMail } from "./render-mail.ts";
import { isRefusedForGood, type MailTransport } from "./transport.ts";

export interface DelivererOptions {
  readonly database: Database;
  readonly transport: MailTransport;
  readonly log: Logger;
  readonly from: string;
  readonly publicUrl: string;
  readonly rules: MailRules;
  readonly tell: TellAdministrators;
  /** Undefined: no traces are made. */
  readonly tracer?: Tracer | undefined;
  /** Seconds until the next attempt after so many failed ones. */
  readonly waitAfter?: (attempts: number) => number;
}

export interface Deliverer {
  /** There may be something to send. */
  wake(): void;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 5_000;
/** Messages under way at once, and of them those of one organization and those to one domain. */
const AT_ONCE = { all: 6, organization: 3, domain: 2 } as const;
/** About two days with the waits below. */
const MAX_ATTEMPTS = 14;
const KEPT = "30 days";

/** 30 s, 1 min, 2 min … at most 6 h. */
const backOff = (attempts: number): number => Math.min(30 * 2 ** (attempts - 1), 6 * 3600);

export function startDeliverer(options: DelivererOptions): Deliverer {
  const { database, log } = options;
  const lanes = new Set<Promise<void>>();
  const underWay = new Set<Row>();
  let claiming: Promise<unknown> = Promise.resolve();
  let closed = false;
  let again = false;

  /** One after the other: each sees what the one before it took. */
  const claim = (): Promise<Row | "held" | undefined> => {
    const next = claiming.then(async () => {
      if (closed) return undefined;
      const mail = await claimMail(database, options.rules, options.tell, fullOf(underWay));
      if (mail !== undefined && mail !== "held") underWay.add(mail);
      return mail;
    });
    claiming = next.catch(() => undefined);
    return next;
  };

  const drain = async (): Promise<void> => {
    do {
      again = false;
      for (let mail = await claim(); mail !== undefined; mail = await claim()) {
        if (mail === "held") continue;
        openLane();
        await deliver(options, mail).finally(() => underWay.delete(mail));
      }
    } while (again && !closed);
  };
  const openLane = (): void => {
    if (closed || lanes.size >= AT_ONCE.all) return;
    const lane = drain()
      .catch((error: unknown) => log.warn(error, "the outbox could not be read; it will be tried again"))
      .finally(() => lanes.delete(lane));
    lanes.add(lane);
  };
  const wake = () => {
    again = true;
    openLane();
  };
  const looking = setInterval(wake, LOOK_EVERY_MS).unref();
  wake();
  return {
    wake,
    close: async () => {
      closed = true;
      clearInterval(looking);
      await Promise.all(lanes);
      options.transport.close();
    },
  };
}

/** As at every gate: past its first, an organization takes another only while more are free than it has. */
function fullOf(underWay: ReadonlySet<Row>): Full {
  const free = AT_ONCE.all - underWay.size;
  const count = (column: string) => {
    const counts = new Map<string, number>();
    for (const mail of underWay) counts.set(mail[column] ?? "", (counts.get(mail[column] ?? "") ?? 0) + 1);
    return [...counts];
  };
  return {
    organizations: count("organization_id").flatMap(([id, mine]) =>
      mine < AT_ONCE.organization && free > mine ? [] : [id],
    ),
    domains: count("domain").flatMap(([domain, mine]) => (mine < AT_ONCE.domain ? [] : [domain])),
  };
}

async function deliver(
  { database, transport, log, from, publicUrl, tracer, waitAfter = backOff }: DelivererOptions,
  mail: Row,
) {
  const [organization, id, kind] = [mail.organization_id ?? "", mail.id ?? "", mail.kind ?? ""];
  const which = sql`organization_id = ${organization}::bigint and id = ${id}::uuid`;
  const span = tracer?.begin("mail", "producer");
  const attributes = { "dossier.organization": organization, "dossier.mail": id, "dossier.mail_kind": kind };
  try {
    const content = storedJson(mailContentSchema, mail.content, "core__mails.content");
    const rendered = renderMail(content, mail.locale ?? "", publicUrl);
    const departure = await transport.send(id, kind, {
      from,
      to: { name: mail.recipient_name ?? "", address: mail.recipient ?? "" },
      // The same at every attempt, so that a message sent twice is recognized.
      messageId: `<${id}@dossier>`,
      headers: { "Auto-Submitted": "auto-generated" },
      ...rendered,
    });
    span?.end({ attributes });
    await database.run(sql`
      update core__mails set ended = now() at time zone 'utc', outcome = ${departure.outcome}, content = null, last_error = null
      where ${which}`);
    if (departure.file)
      log.warn({ mail: id, kind, file: departure.file }, "no SMTP_URL: a message was written to a file");
    else log.info({ mail: id, kind }, "a message was sent");
    await database.run(sql`
      delete from core__mails
      where organization_id = ${organization}::bigint and ended < (now() at time zone 'utc') - ${KEPT}::interval`);
    await database.run(
      sql`delete from core__mail_recipients where hour < (now() at time zone 'utc') - interval '2 hours'`,
    );
  } catch (error) {
    // What the server said may name people.
    span?.end({ attributes, failure: isRefusedForGood(error) ? "refused" : "not_sent" });
    const attempts = Number(mail.attempts);
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    const over = isRefusedForGood(error) || attempts >= MAX_ATTEMPTS;
    log.warn({ mail: id, kind, attempts, over }, "a message could not be sent");
    await database.run(
      over
        ? sql`update core__mails set ended = now() at time zone 'utc', outcome = 'failed', content = null, last_error = ${reason}
            where ${which}`
        : sql`update core__mails set last_error = ${reason},
            due = (now() at time zone 'utc') + make_interval(secs => ${waitAfter(attempts)}::double precision) where ${which}`,
    );
  }
}
