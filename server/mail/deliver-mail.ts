// Takes messages out of the outbox when they are due and sends them; what fails waits longer each time. Any number of
// processes may run it: a message is leased by one. Logs kinds and places, never addresses, words or links.

import type { Logger } from "pino";
import type { Database, Row } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { storedJson } from "../database/stored-json.ts";
import { claimMail, type MailRules, type TellAdministrators } from "./claim-mail.ts";
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
  /** Seconds until the next attempt after so many failed ones. */
  readonly waitAfter?: (attempts: number) => number;
}

export interface Deliverer {
  /** There may be something to send. */
  wake(): void;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 5_000;
/** About two days with the waits below. */
const MAX_ATTEMPTS = 14;
const KEPT = "30 days";

/** 30 s, 1 min, 2 min … at most 6 h. */
const backOff = (attempts: number): number => Math.min(30 * 2 ** (attempts - 1), 6 * 3600);

export function startDeliverer(options: DelivererOptions): Deliverer {
  const { database, log } = options;
  let closed = false;
  let running: Promise<void> | undefined;
  let again = false;

  const drain = async (): Promise<void> => {
    do {
      again = false;
      while (!closed) {
        const mail = await claimMail(database, options.rules, options.tell);
        if (mail === undefined) break;
        if (mail !== "held") await deliver(options, mail);
      }
    } while (again && !closed);
  };
  const wake = () => {
    if (closed) return;
    again = true;
    running ??= drain()
      .catch((error: unknown) => log.warn(error, "the outbox could not be read; it will be tried again"))
      .finally(() => {
        running = undefined;
      });
  };
  const looking = setInterval(wake, LOOK_EVERY_MS).unref();
  wake();
  return {
    wake,
    close: async () => {
      closed = true;
      clearInterval(looking);
      await running;
      options.transport.close();
    },
  };
}

async function deliver(
  { database, transport, log, from, publicUrl, waitAfter = backOff }: DelivererOptions,
  mail: Row,
) {
  const [organization, id, kind] = [mail.organization_id ?? "", mail.id ?? "", mail.kind ?? ""];
  const which = sql`organization_id = ${organization}::bigint and id = ${id}::uuid`;
  try {
    const content = storedJson(mailContentSchema, mail.content, "core__mails.content");
    const rendered = renderMail(content, mail.locale ?? "", publicUrl);
    const departure = await transport.send(id, kind, {
      from,
      to: { name: mail.recipient_name ?? "", address: mail.recipient ?? "" },
      // The same at every attempt, so that a message sent twice is recognised.
      messageId: `<${id}@dossier>`,
      headers: { "Auto-Submitted": "auto-generated" },
      ...rendered,
    });
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
