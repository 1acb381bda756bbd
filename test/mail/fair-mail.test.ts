// Mail that strangers cannot use to write to the world: who is written to, how much, and that nobody waits for another.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import type { MailContent } from "../../server/mail/content.ts";
import { queueMail } from "../../server/mail/queue-mail.ts";
import { addOrganization, addPerson, addRows } from "../http/people.ts";
import { startService, startTwoServices, type TestService } from "../service.ts";
import { type MailServer, startMailServer } from "./mail-server.ts";

const words = (subject: string): MailContent => ({
  kind: "workflow",
  subject,
  text: "Hello",
  record: "Lead 7",
  link: "/crm/leads/view?id=7",
});

const queueAll = (service: TestService, mails: readonly (readonly [organizationId: string, address: string])[]) =>
  service.db.transaction(async (transaction) => {
    for (const [organizationId, address] of mails) {
      await queueMail(transaction, organizationId, { address }, words(`to ${address}`));
    }
  });

const states = async (service: TestService, organizationId: string): Promise<Record<string, number>> => {
  const rows = await service.db.rows(sql`
    select coalesce(outcome, held, 'waiting') as state, count(*)::text as count from core__mails
    where organization_id = ${organizationId}::bigint group by 1`);
  return Object.fromEntries(rows.map((row) => [row.state, Number(row.count)]));
};

const told = async (service: TestService, token: string): Promise<string[]> => {
  const { body } = await service.get("/core/notifications/mine.json", token);
  return body.data.notifications.map((one: { text: string }) => one.text);
};

let mailServer: MailServer;
beforeAll(async () => {
  mailServer = await startMailServer();
});
afterAll(() => mailServer.stop());
const receivedBy = (address: string) => mailServer.received.filter(({ to }) => to.includes(address)).length;

describe("an organization that a stranger founded", () => {
  let service: TestService;
  let founder: { token: string; organizationId: string; id: string };
  beforeAll(async () => {
    service = await startService({ SMTP_URL: mailServer.url });
    founder = await addOrganization(service, "strangers");
    await addRows(
      service,
      "core/email_addresses",
      [{ related_type: "access_controls/users", related_id: founder.id, email: "founder@s.example", is_primary: "1" }],
      founder.organizationId,
    );
    const definition = {
      stages: [
        { key: "new", name: "New", kind: "start" },
        { key: "done", name: "Done", kind: "end" },
      ],
      transitions: [
        {
          name: "finish",
          label: "Finish",
          from: "new",
          to: "done",
          effects: [{ mail: { to: ["email:email"], subject: "Buy now", text: "Cheap" } }],
        },
      ],
    };
    await service.db.run(sql`
      update core__workflows set is_active = 0 where organization_id = ${founder.organizationId}::bigint`);
    const workflows = { name: "Spam", controller: "crm/leads", is_active: "1", definition: JSON.stringify(definition) };
    const { body } = await service.post(
      "/core/workflows/add.json",
      { data: { workflows, action: { save_progress: "Save" } } },
      founder.token,
    );
    expect(body.errors).toEqual([]);
  });
  afterAll(() => service.stop());

  const send = async (email: string) => {
    const leads = { last_name: "Victim", email };
    const added = await service.post(
      "/crm/leads/add.json",
      { data: { leads, action: { save_progress: "Save" } } },
      founder.token,
    );
    const taken = await service.post(
      "/crm/leads/edit.json",
      { data: { leads: { id: added.body.id }, action: { finish: "Finish" } } },
      founder.token,
    );
    expect(taken.body.errors).toEqual([]);
  };

  test("mails nobody outside before one who runs it has confirmed an address; administrators are told", async () => {
    await send("victim@v.example");
    await expect.poll(() => states(service, founder.organizationId)).toEqual({ unconfirmed: 1 });
    expect(await told(service, founder.token)).toEqual([
      "1 email on hold. An administrator must confirm their own email address before this organization can email anyone else.",
    ]);
  });

  test("asks for the link that confirms it as often as it takes, and then waits for the operator's word", async () => {
    for (const _ of [1, 2]) {
      const asked = await service.post("/access_controls/users/send_confirmation.json", {}, founder.token);
      expect(asked.body.message).toEqual(["Check your email: a link was sent to founder@s.example"]);
    }
    await expect.poll(() => receivedBy("founder@s.example")).toBe(2);
    const mails = mailServer.received.filter(({ to }) => to.includes("founder@s.example"));
    const links = mails.map(({ text }) => /token=(\S+)/.exec(text)?.[1] ?? "");
    const confirm = (token: string) =>
      service.post("/access_controls/users/confirm_mail.json", { data: { users: { token } } });
    // The first link stopped working when the second was sent; which arrived first is the mail server's business.
    const statuses = [(await confirm(links[0] ?? "")).status, (await confirm(links[1] ?? "")).status];
    expect(statuses.sort()).toEqual([200, 422]);
    await expect.poll(() => states(service, founder.organizationId)).toEqual({ sent: 2, outside: 1 });
    expect((await told(service, founder.token))[0]).toContain("isn't allowed to email people outside it yet");
    expect(receivedBy("victim@v.example")).toBe(0);
  });

  test("cannot give itself that word, nor learn about others", async () => {
    for (const call of [
      service.get("/access_controls/organizations/mail_senders.json", founder.token),
      service.post(
        `/access_controls/organizations/mail_senders.json?id=${founder.organizationId}`,
        { data: { organizations: { allows_outside: "1" } } },
        founder.token,
      ),
    ]) {
      const { status, body } = await call;
      expect([status, body.error_code]).toEqual([403, "operator_required"]);
      expect(body.errors).toEqual([
        "You don't have permission to manage outgoing email. Ask an administrator of the organization that runs this service",
      ]);
    }
    expect(receivedBy("victim@v.example")).toBe(0);
  });

  test("sends what was held once the operator allows it, and stops when it no longer does", async () => {
    const operator = await service.login();
    const allow = (allows: string) =>
      service.post(
        `/access_controls/organizations/mail_senders.json?id=${founder.organizationId}`,
        { data: { organizations: { allows_outside: allows } } },
        operator,
      );
    const before = await service.get("/access_controls/organizations/mail_senders.json", operator);
    expect(before.body.data.organizations).toMatchObject([{ name: "strangers", allows_outside: "0", held: "1" }]);
    expect((await allow("1")).body.data.organizations).toMatchObject([{ allows_outside: "1" }]);
    const mail = await mailServer.next(({ to }) => to.includes("victim@v.example"));
    // What it leads to is as it was when the message was written, however long that waited.
    const victim = await service.db.row(sql`select id::text as id from crm__leads where email = 'victim@v.example'`);
    for (const text of [mail.text, mail.html.replaceAll("&amp;", "&")]) {
      expect(text).toContain(`${service.url}/crm/leads/view?id=${victim?.id}`);
    }
    expect((await allow("0")).body.errors).toEqual([]);
    await send("second@v.example");
    await expect.poll(() => states(service, founder.organizationId)).toMatchObject({ outside: 1 });
    expect(receivedBy("second@v.example")).toBe(0);
    expect((await allow("yes")).status).toBe(422);
    // Both organizations find it in their own log; the operator's own needs no word of its own.
    const logs = await service.db.rows(sql`
      select organization_id::text as id, detail ->> 'allows_outside' as allows, created_by::text as by
      from access_controls__audit_events where event = 'mail_outside_changed' order by 2 desc, 1`);
    const [by] = logs.flatMap(({ by }) => by ?? []);
    expect(logs.map(({ id, allows, by }) => [id, allows, by])).toEqual(
      ["1", "0"].flatMap((allows) => [
        ["1", allows, by],
        [founder.organizationId, allows, null],
      ]),
    );
    const own = await service.post(
      "/access_controls/organizations/mail_senders.json?id=1",
      { data: { organizations: { allows_outside: "1" } } },
      operator,
    );
    expect(own.status).toBe(404);
  });

  test("mails its own users whose addresses are confirmed, whatever the operator says", async () => {
    await queueAll(service, [[founder.organizationId, "founder@s.example"]]);
    await mailServer.next(({ to, headers }) => to.includes("founder@s.example") && headers.includes("to founder@s"));
  });

  test("gives up what nobody released within a week, and says so", async () => {
    await service.db.run(sql`
      update core__mails set created = created - interval '8 days', due = now() at time zone 'utc'
      where held = 'outside'`);
    await queueAll(service, [[founder.organizationId, "third@v.example"]]);
    await expect.poll(() => states(service, founder.organizationId)).toMatchObject({ failed: 1, outside: 1 });
    expect((await told(service, founder.token))[0]).toContain("1 email waited for 7 days and won't be sent.");
    expect(receivedBy("second@v.example")).toBe(0);
  });

  test("takes for its own no address that nobody confirmed, nor that of somebody who is gone", async () => {
    const { organizationId } = founder;
    const leaver = await addPerson(service, "strangers.leaver", ["sales_rep"], organizationId);
    const addressOf = (related_id: string, email: string, is_confirmed: string) =>
      addRows(
        service,
        "core/email_addresses",
        [{ related_type: "access_controls/users", related_id, email, is_confirmed }],
        organizationId,
      );
    await addressOf(founder.id, "unproven@v.example", "0");
    await addressOf(leaver.id, "leaver@v.example", "1");
    await service.db.run(sql`
      update access_controls__users set is_active = 0
      where organization_id = ${organizationId}::bigint and id = ${leaver.id}::bigint`);
    // Administrators hear of the same reason once a day.
    await service.db.run(sql`
      update core__mail_senders set told = 'outside', told_at = now() at time zone 'utc' - interval '23 hours'
      where organization_id = ${organizationId}::bigint`);
    const before = await told(service, founder.token);
    const invitation = {
      kind: "invitation",
      inviter: "Ada",
      organization: "strangers",
      link: "/x",
      days: 7,
    } as const;
    await service.db.transaction(async (transaction) => {
      for (const address of ["unproven@v.example", "leaver@v.example"])
        await queueMail(transaction, organizationId, { address }, words(`to ${address}`));
      await queueMail(transaction, organizationId, { address: "invited@v.example" }, invitation);
    });
    // Not held along with what is: it says our words.
    await mailServer.next(({ to }) => to.includes("invited@v.example"));
    const held = () =>
      service.db.rows(sql`
        select recipient, held from core__mails where recipient in ('unproven@v.example', 'leaver@v.example') order by id`);
    await expect.poll(held).toEqual([
      { recipient: "unproven@v.example", held: "outside" },
      { recipient: "leaver@v.example", held: "outside" },
    ]);
    expect(await told(service, founder.token)).toEqual(before);
  });
});

test("what is no single address is never queued", async () => {
  const service = await startService({ SMTP_URL: mailServer.url });
  try {
    const hostile = [
      "a@x.example,b@y.example",
      "a@x.example\r\nBcc: b@y.example",
      "Ada <a@x.example>",
      '"a b"@x.example',
      `${"a".repeat(250)}@x.example`,
      "a@x.example b@y.example",
      "nobody",
      "",
    ];
    await queueAll(
      service,
      hostile.map((address) => ["1", address]),
    );
    expect(await states(service, "1")).toEqual({});
  } finally {
    await service.stop();
  }
});

test("the one message of an organization does not wait for the forty of another", async () => {
  const service = await startService({ SMTP_URL: mailServer.url });
  try {
    const loud = await addOrganization(service, "loud");
    await service.db.run(sql`
      insert into core__mail_senders (organization_id, allows_outside) values (${loud.organizationId}::bigint, 1)`);
    const many = Array.from({ length: 40 }, (_, index) => [loud.organizationId, `n${index}@loud.example`] as const);
    await service.db.run(sql`
      insert into core__email_addresses (organization_id, related_type, related_id, email, is_confirmed, acl_id)
      values (${loud.organizationId}::bigint, 'access_controls/users', ${loud.id}, 'boss@loud.example', 1, 0)`);
    // In one transaction: the outbox sees all of them at once, the loud one's first.
    await queueAll(service, [...many, ["1", "one@quiet.example"]]);
    await mailServer.next(({ to }) => to.includes("one@quiet.example"));
    const order = mailServer.received.map(({ to }) => to[0] ?? "").filter((to) => /@(?:loud|quiet)\.example$/.test(to));
    // The loud one has a few under way at the same time.
    expect(order.indexOf("one@quiet.example")).toBeLessThan(6);
  } finally {
    await service.stop();
  }
});

test("recipients whose mail servers hang hold up neither other recipients nor other organizations", async () => {
  const service = await startService({ SMTP_URL: mailServer.url, MAIL_OUTSIDE: "all" });
  try {
    const louds = await Promise.all(["first", "second"].map((name) => addOrganization(service, name)));
    for (const { id, organizationId } of louds) {
      await service.db.run(sql`
        insert into core__email_addresses (organization_id, related_type, related_id, email, is_confirmed, acl_id)
        values (${organizationId}::bigint, 'access_controls/users', ${id}, 'boss@loud.example', 1, 0)`);
    }
    const [first, second] = louds.map(({ organizationId }) => organizationId);
    const crowd = (organizationId = "", domain: (at: number) => string) =>
      Array.from({ length: 10 }, (_, at) => [organizationId, `n${at}@${domain(at)}`] as const);
    const underWay = async () => {
      const row = await service.db.row(sql`
        select count(*)::text as count from core__mails where attempts > 0 and ended is null`);
      return Number(row?.count);
    };
    await queueAll(
      service,
      crowd(first, () => "hanging.example"),
    );
    await expect.poll(underWay).toBeGreaterThan(0);
    // Its own message to another domain.
    await queueAll(service, [[first ?? "", "own@fine.example"]]);
    await mailServer.next(({ to }) => to.includes("own@fine.example"));
    await queueAll(service, [
      ...crowd(first, (at) => `a${at}.hanging.example`),
      ...crowd(second, (at) => `b${at}.hanging.example`),
    ]);
    await expect.poll(underWay).toBeGreaterThan(4);
    await queueAll(service, [["1", "third@fine.example"]]);
    await mailServer.next(({ to }) => to.includes("third@fine.example"));
    await expect.poll(underWay).toBe(5);
  } finally {
    await service.stop();
  }
});

describe("with limits for each organization", () => {
  test("two processes together send no more than the limit; the rest is held, told of, and sent in the next hour", async () => {
    const { service, stop } = await startTwoServices({
      SMTP_URL: mailServer.url,
      MAIL_PER_HOUR: "3",
      MAIL_PER_DAY: "7",
    });
    try {
      const admin = await service.login();
      const other = await addOrganization(service, "others");
      await queueAll(
        service,
        Array.from({ length: 10 }, (_, index) => ["1", `q${index}@quota.example`]),
      );
      await expect.poll(() => states(service, "1")).toEqual({ sent: 3, quota: 7 });
      expect(await told(service, admin)).toEqual([
        "7 emails on hold. This organization reached its email limit. The emails will be sent as soon as the limit allows.",
      ]);
      // About one's own account, and another organization's: not held back by it.
      await service.db.transaction(async (transaction) => {
        const reset = { kind: "forgotten-password", userName: "ada", link: "/x", minutes: 60 } as const;
        await queueMail(transaction, "1", { address: "me@quota.example" }, reset);
        await queueMail(transaction, other.organizationId, { address: "me@other.example" }, reset);
      });
      await mailServer.next(({ to }) => to.includes("me@quota.example"));
      await mailServer.next(({ to }) => to.includes("me@other.example"));
      const nextHour = async () => {
        await service.db.run(sql`update core__mail_senders set hour = hour - interval '1 hour'`);
        await service.db.run(sql`update core__mails set due = now() at time zone 'utc' where held is not null`);
        await queueAll(service, [[other.organizationId, "wake@other.example"]]);
      };
      await nextHour();
      await expect.poll(() => states(service, "1")).toEqual({ sent: 7, quota: 4 });
      await nextHour();
      // The day's seven: three, three and one.
      await expect.poll(() => states(service, "1")).toEqual({ sent: 8, quota: 3 });
      expect(mailServer.received.filter(({ to }) => /^q\d@quota\.example$/.test(to[0] ?? ""))).toHaveLength(7);
    } finally {
      await stop();
    }
  });

  test("one address is sent ten messages an hour at most: about an account the rest is dropped, else it waits", async () => {
    const service = await startService({ SMTP_URL: mailServer.url, RATE_LIMIT: "600" });
    try {
      const reset = { kind: "forgotten-password", userName: "ada", link: "/x", minutes: 60 } as const;
      await service.db.transaction(async (transaction) => {
        for (let count = 0; count < 15; count += 1) {
          await queueMail(transaction, "1", { address: count % 2 ? "flood@f.example" : "FLOOD@f.example" }, reset);
        }
      });
      await expect.poll(() => states(service, "1")).toEqual({ sent: 10, failed: 5 });
      await service.db.run(sql`update core__mail_recipients set hour = hour - interval '1 hour'`);
      await service.db.transaction((transaction) => queueMail(transaction, "1", { address: "flood@f.example" }, reset));
      await expect.poll(() => states(service, "1")).toEqual({ sent: 11, failed: 5 });
    } finally {
      await service.stop();
    }
  });
});
