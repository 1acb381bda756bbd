import { statSync } from "node:fs";
import { Writable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import type { MailContent, MailKind } from "../../server/mail/content.ts";
import { startDeliverer } from "../../server/mail/deliver-mail.ts";
import { queueMail, queueMailToUser } from "../../server/mail/queue-mail.ts";
import { renderMail } from "../../server/mail/render-mail.ts";
import { folderTransport, smtpTransport } from "../../server/mail/transport.ts";
import { testDatabase } from "../database.ts";
import { addRows } from "../http/people.ts";
import { startService, type TestService } from "../service.ts";
import { type MailServer, startMailServer, writtenMails } from "./mail-server.ts";

const examples: { readonly [Kind in MailKind]: Extract<MailContent, { kind: Kind }> } = {
  invitation: {
    kind: "invitation",
    organization: "Acme & Sons",
    inviter: "Ada <b>",
    link: "/join?token=s3cret",
    days: 7,
  },
  "forgotten-password": {
    kind: "forgotten-password",
    userName: "ada",
    link: "https://a.example/?token=s3cret",
    minutes: 60,
  },
  "mail-confirmation": { kind: "mail-confirmation", userName: "ada", link: "/confirm?token=s3cret", days: 3 },
  "webhook-off": { kind: "webhook-off", name: "Sync", why: "Turned off.", link: "/core/webhooks/view?id=7" },
  mention: {
    kind: "mention",
    by: "Ada",
    record: "Lead 7",
    text: "<script>alert(1)</script>\nsecond line",
    link: "/crm/leads/view?id=7",
  },
  workflow: {
    kind: "workflow",
    subject: "Please look\r\nBcc: evil@x.example",
    text: "It is your turn.",
    record: "Lead 7",
    link: "/crm/leads/view?id=7",
  },
};

describe("a message", () => {
  test.each(Object.values(examples))(
    "of kind $kind has its words in both languages, and a complete link",
    (content) => {
      const link = new URL(content.link, "https://d.example").href;
      const english = renderMail(content, "en-GB", "https://d.example");
      const arabic = renderMail(content, "ar-EG", "https://d.example");
      for (const mail of [english, arabic]) {
        expect(mail.text).toContain(link);
        expect(mail.html).toContain(`href="${link}"`);
        expect(mail.subject).toMatch(/\S/);
      }
      expect(arabic.html).toContain('<html lang="ar" dir="rtl">');
      expect(arabic.text).toMatch(/\p{Script=Arabic}/u);
      expect(english.text).not.toMatch(/\p{Script=Arabic}/u);
    },
  );

  test("escapes what people wrote in its HTML, and lets no line break into its subject", () => {
    const mention = renderMail(examples.mention, "en", "https://d.example");
    expect(mention.html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(mention.html).not.toContain("<script>");
    expect(mention.text).toContain("<script>alert(1)</script>\nsecond line");
    expect(renderMail(examples.invitation, "en", "https://d.example").html).toContain("Acme &amp; Sons");
    expect(renderMail(examples.workflow, "en", "https://d.example").subject).toBe("Please look Bcc: evil@x.example");
  });

  test("is in English where we do not speak the recipient's language", () => {
    expect(renderMail(examples.mention, "nl-NL", "https://d.example").subject).toBe("Ada mentioned you: Lead 7");
  });
});

const unbounded = {
  rules: { perHour: 0, perDay: 0, perRecipient: 0, outside: "all" },
  tell: async () => {},
} as const;

const queue = (service: TestService, address: string, content: MailContent) =>
  service.db.transaction((transaction) => queueMail(transaction, "1", { address, name: "Ada Lovelace" }, content));

/** The message waits for its next attempt: what was tried first did not work. */
const triedOnce = (service: TestService) =>
  expect
    .poll(() => service.db.row(sql`select attempts from core__mails where last_error is not null`))
    .toEqual({ attempts: "1" });

describe("a service with SMTP_URL", () => {
  let mailServer: MailServer;
  let service: TestService;
  beforeAll(async () => {
    mailServer = await startMailServer();
    service = await startService({
      SMTP_URL: mailServer.url,
      MAIL_FROM: "Desk <desk@d.example>",
      PUBLIC_URL: "https://d.example",
    });
  });
  afterAll(async () => {
    await service.stop();
    await mailServer.stop();
  });

  test("sends what was queued in a transaction, once it commits", async () => {
    await queue(service, "ada@x.example", examples.mention);
    const mail = await mailServer.next(({ to }) => to.includes("ada@x.example"));
    expect(mail.headers).toContain("From: Desk <desk@d.example>");
    expect(mail.headers).toContain("To: Ada Lovelace <ada@x.example>");
    expect(mail.headers).toContain("Subject: Ada mentioned you: Lead 7");
    expect(mail.text).toContain("https://d.example/crm/leads/view?id=7");
    await expect
      .poll(() => service.db.row(sql`select outcome, content from core__mails where recipient = 'ada@x.example'`))
      .toEqual({ outcome: "sent", content: null });
  });

  test("sends nothing of a transaction that was rolled back", async () => {
    const failing = service.db.transaction(async (transaction) => {
      await queueMail(transaction, "1", { address: "never@x.example" }, examples.mention);
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await queue(service, "after@x.example", examples.mention);
    await mailServer.next(({ to }) => to.includes("after@x.example"));
    expect(mailServer.received.flatMap(({ to }) => to)).not.toContain("never@x.example");
  });

  test("writes to a user's primary address in the user's language, and to nobody without one", async () => {
    const toAdmin = () =>
      service.db.transaction((transaction) => queueMailToUser(transaction, "1", "1", examples.mention));
    expect(await toAdmin()).toBeUndefined();
    const ofAdmin = { related_type: "access_controls/users", related_id: "1" };
    await addRows(service, "core/email_addresses", [
      { ...ofAdmin, email: "second@x.example", is_primary: "0" },
      { ...ofAdmin, email: "first@x.example", is_primary: "1" },
    ]);
    await service.db.run(sql`update access_controls__users set locale = 'ar-EG' where organization_id = 1 and id = 1`);
    expect(await toAdmin()).toBe("first@x.example");
    const mail = await mailServer.next(({ to }) => to.includes("first@x.example"));
    expect(mail.html).toContain('dir="rtl"');
    const activate = (flag: string) =>
      service.db.run(sql`
        update access_controls__users set is_active = ${flag}::smallint where organization_id = 1 and id = 1`);
    await activate("0");
    expect(await toAdmin()).toBeUndefined();
    await activate("1");
  });

  test("gives up at once when the server rejects the address permanently, and keeps nothing of the message", async () => {
    await queue(service, "a@refused.example", examples.invitation);
    const row = () =>
      service.db.row(sql`
        select outcome, content, attempts, last_error from core__mails where recipient = 'a@refused.example'`);
    const lastError = expect.stringContaining("no such mailbox");
    await expect.poll(row).toMatchObject({ outcome: "failed", content: null, attempts: "1", last_error: lastError });
  });
});

test("what a service can't send waits for another attempt, and two processes never send it twice", async () => {
  const database = await testDatabase("prepared");
  const mailServer = await startMailServer(2);
  try {
    const service = await startService({ SMTP_URL: "smtp://127.0.0.1:9" }, database);
    await queue(service, "late@x.example", examples.mention);
    await triedOnce(service);
    // Its own deliverer would take the message once more, and fail, if it looked again in time.
    await service.stop();
    await database.db.run(sql`update core__mails set due = now() at time zone 'utc'`);
    const deliverers = [1, 2].map(() =>
      startDeliverer({
        database: database.db,
        log: pino({ level: "silent" }),
        transport: smtpTransport(mailServer.url),
        from: "a@d.example",
        publicUrl: "https://d.example",
        ...unbounded,
        waitAfter: () => 0,
      }),
    );
    await mailServer.next(({ to }) => to.includes("late@x.example"));
    await Promise.all(deliverers.map((deliverer) => deliverer.close()));
    const row = await database.db.row(sql`select outcome, attempts from core__mails`);
    expect(row).toEqual({ outcome: "sent", attempts: "4" });
    expect(mailServer.received).toHaveLength(1);
  } finally {
    await mailServer.stop();
    await database.close();
  }
});

test("without SMTP_URL a message becomes a file for its owner's eyes, and the log says where, not what", async () => {
  const service = await startService();
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk, _, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const transport = folderTransport(`${service.dataDir}/mail`);
  const deliverer = startDeliverer({
    database: service.db,
    log: pino({ level: "info" }, stream),
    transport,
    from: "a@d.example",
    publicUrl: "https://d.example",
    ...unbounded,
  });
  try {
    // One of the two deliverers finds it: ours, for as long as the service's does not look; either writes the file.
    for (let count = 0; lines.length === 0 && count < 50; count += 1) {
      await service.db.transaction(async (transaction) => {
        await queueMail(transaction, "1", { address: "ada@x.example" }, examples["forgotten-password"]);
      });
      deliverer.wake();
      const waiting = () => service.db.row(sql`select 1 as waiting from core__mails where ended is null`);
      await expect.poll(waiting).toBeUndefined();
    }
    const mails = writtenMails(service.dataDir);
    expect(mails[0]?.text).toContain("https://a.example/?token=s3cret");
    expect(statSync(mails[0]?.file ?? "").mode & 0o077).toBe(0);
    const told = mails.filter((mail) => lines.some((line) => line.includes(mail.file)));
    expect(told).toHaveLength(lines.length);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("")).not.toMatch(/s3cret|ada@x\.example/);
  } finally {
    await deliverer.close();
    await service.stop();
  }
});
