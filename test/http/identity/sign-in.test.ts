// How people come in: by user name or by a confirmed email address, and by links that whoever invites can pass on.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { writtenMails } from "../../mail/mail-server.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows } from "../people.ts";

const SAVE = { save_progress: "Save" };
const PASSWORD = "a long enough secret";

let service: TestService;
let admin: string;
beforeAll(async () => {
  service = await startService({ RATE_LIMIT: "100000" });
  admin = await service.login();
});
afterAll(() => service.stop());

const signIn = (userName: string, password = service.admin.password): Promise<Answer> =>
  service.post("/access_controls/users/login.json", {
    data: { users: { user_name: userName, user_password: password } },
  });

/** An address that its owner has confirmed by the link in a message. */
async function confirmed(person: { id: string; token: string }, email: string, organizationId = "1"): Promise<void> {
  await addRows(
    service,
    "core/email_addresses",
    [{ related_type: "access_controls/users", related_id: person.id, email, is_primary: "1" }],
    organizationId,
  );
  const earlier = linkIn(email);
  await service.post("/access_controls/users/send_confirmation.json", {}, person.token);
  await expect.poll(() => linkIn(email)).not.toBe(earlier);
  const token = linkIn(email);
  const { status } = await service.post("/access_controls/users/confirm_mail.json", { data: { users: { token } } });
  expect(status).toBe(200);
}

const linkIn = (email: string): string => {
  const mail = writtenMails(service.dataDir).findLast(({ to }) => to.some((one) => one.includes(email)));
  return /(?:token|invitation)=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
};

describe("signing in", () => {
  test("takes a confirmed address in any case, and the user name all the same", async () => {
    const ada = await addPerson(service, "ada", ["sales_rep"]);
    await confirmed(ada, "Ada@x.example");
    for (const name of ["ada", "ADA", "ada@x.example", "ADA@X.example", " ada@x.example "]) {
      expect((await signIn(name.trim())).body.user_id, name).toBe(ada.id);
    }
    expect((await signIn("ada@x.example", "wrong password")).status).toBe(401);
  });

  test("takes no address that is unconfirmed, changed, removed or shared, in the same words as an unknown one", async () => {
    const bo = await addPerson(service, "bo", ["sales_rep"]);
    const unknown = (await signIn("nobody@x.example")).body.errors;
    const refused = async (email: string) => expect((await signIn(email)).body.errors).toEqual(unknown);
    await addRows(service, "core/email_addresses", [
      { related_type: "access_controls/users", related_id: bo.id, email: "unproven@x.example", is_primary: "0" },
    ]);
    await refused("unproven@x.example");
    await confirmed(bo, "bo@x.example");
    expect((await signIn("bo@x.example")).status).toBe(200);
    await service.db.run(sql`update core__email_addresses set email = 'new@x.example' where email = 'bo@x.example'`);
    await refused("bo@x.example");
    await service.db.run(sql`
      update core__email_addresses set email = 'bo@x.example', deleted = 1 where email = 'new@x.example'`);
    await refused("bo@x.example");
    await service.db.run(sql`update core__email_addresses set deleted = 0 where email = 'bo@x.example'`);
    const other = await addOrganization(service, "others");
    await confirmed(other, "bo@x.example", other.organizationId);
    await refused("bo@x.example");
  });

  test("nobody takes another's address as a user name", async () => {
    const cy = await addPerson(service, "cy", ["sales_rep"]);
    await confirmed(cy, "cy@x.example");
    const users = { user_name: "CY@x.example", last_name: "Squatter" };
    const taken = await service.post("/access_controls/users/add.json", { data: { users, action: SAVE } }, admin);
    expect(taken.body.errors).toContain("User name is taken");
  });

  test("wrong guesses by name and by address count to one throttle", async () => {
    const throttled = await startService({ RATE_LIMIT: "600" });
    try {
      const dee = await addPerson(throttled, "dee", ["sales_rep"]);
      await addRows(throttled, "core/email_addresses", [
        { related_type: "access_controls/users", related_id: dee.id, email: "dee@x.example", is_primary: "1" },
      ]);
      await throttled.db.run(sql`update core__email_addresses set is_confirmed = 1 where email = 'dee@x.example'`);
      await throttled.db.run(sql`
        insert into access_controls__login_emails values ('dee@x.example', 1, ${dee.id}::bigint)`);
      const guess = (name: string) =>
        throttled.post("/access_controls/users/login.json", {
          data: { users: { user_name: name, user_password: "a wrong guess" } },
        });
      const statuses: number[] = [];
      for (let count = 0; count < 8; count += 1)
        statuses.push((await guess(count % 2 ? "dee" : "dee@x.example")).status);
      expect(statuses).toContain(429);
    } finally {
      await throttled.stop();
    }
  });

  test("a forgotten password is asked for by address too", async () => {
    const eve = await addPerson(service, "eve", ["sales_rep"]);
    await confirmed(eve, "eve@x.example");
    const before = linkIn("eve@x.example");
    await service.post("/access_controls/users/activate_forgotten_password.json", {
      data: { users: { user_name: "Eve@x.example" } },
    });
    await expect.poll(() => linkIn("eve@x.example")).not.toBe(before);
  });
});

describe("who invites is given the link", () => {
  const roleId = async () =>
    (await service.get("/access_controls/users/signup.json")).body.signup_roles[0].value as string;
  const invite = async (email: string, headers = {}) =>
    service.post(
      "/access_controls/invitations/add.json",
      { data: { invitations: { email, role_id: await roleId() }, action: SAVE } },
      admin,
      headers,
    );
  const accept = (token: string, userName: string, email: string) =>
    service.post("/access_controls/users/signup.json", {
      data: {
        users: {
          user_name: userName,
          last_name: "Invited",
          user_password: PASSWORD,
          confirm_password: PASSWORD,
          is_license_agreement_accepted: "1",
          invitation: token,
          email_addresses: [{ email, type: "work" }],
        },
        action: { signup: "Signup" },
      },
    });
  const isConfirmed = async (email: string) =>
    (await service.db.row(sql`select is_confirmed from core__email_addresses where email = ${email}`))?.is_confirmed;

  test("once: not in views, lists, history or the answer to a repeated request", async () => {
    const key = { "Idempotency-Key": "invite-once" };
    const first = await invite("fay@x.example", key);
    const id: string = first.body.id;
    const link: string = first.body.invitation_links[id];
    expect(link).toMatch(/^\/access_controls\/users\/signup\?invitation=dt_/);
    const token = link.split("=")[1] ?? "";
    const again = await invite("fay@x.example", key);
    expect(again.body.id).toBe(id);
    const elsewhere = [
      again.body,
      (await service.get(`/access_controls/invitations/view.json?id=${id}`, admin)).body,
      (await service.get("/access_controls/invitations/index.json", admin)).body,
      (await service.get("/access_controls/audit_events/index.json", admin)).body,
      await service.db.rows(sql`select answer::text as answer from core__idempotency_keys`),
    ];
    for (const body of elsewhere) expect(JSON.stringify(body)).not.toContain(token);
    const resent = await service.post(`/access_controls/invitations/resend.json?id=${id}`, {}, admin);
    expect(resent.body.invitation_links[id]).not.toBe(link);
    expect((await accept(token, "fay", "fay@x.example")).status).toBe(422);
  });

  test("a link that was passed on lets in, and proves nothing about the address; one that was mailed does", async () => {
    const copied = await invite("gus@x.example");
    const token: string = copied.body.invitation_links[copied.body.id].split("=")[1];
    expect((await accept(token, "gus", "gus@x.example")).body.errors).toEqual([]);
    expect(await isConfirmed("gus@x.example")).toBe("0");
    expect((await signIn("gus@x.example", PASSWORD)).status).toBe(401);
    expect((await signIn("gus", PASSWORD)).status).toBe(200);

    await invite("hal@x.example");
    await expect.poll(() => linkIn("hal@x.example")).toMatch(/^dt_/);
    expect((await accept(linkIn("hal@x.example"), "hal", "hal@x.example")).body.errors).toEqual([]);
    expect(await isConfirmed("hal@x.example")).toBe("1");
    expect((await signIn("hal@x.example", PASSWORD)).status).toBe(200);
  });

  test("who adds a user is told how it signs in: by a message, or by the link", async () => {
    const add = (values: object) =>
      service.post(
        "/access_controls/users/add.json",
        { data: { users: { last_name: "New", ...values }, action: SAVE } },
        admin,
      );
    const choose = (token: string) =>
      service.post("/access_controls/users/reset_forgotten_password.json", {
        data: { users: { token, user_password: PASSWORD, confirm_password: PASSWORD } },
      });
    const silent = await add({ user_name: "ida" });
    expect(silent.body.errors).toEqual([]);
    expect(silent.body.message.join(" ")).toContain("no email address");
    const link: string = silent.body.invitation_links[silent.body.id];
    // Nobody ends it by asking for a message that reaches nobody.
    await service.post("/access_controls/users/activate_forgotten_password.json", {
      data: { users: { user_name: "ida" } },
    });
    expect((await choose(link.split("=")[1] ?? "")).body.errors).toEqual([]);
    expect((await signIn("ida", PASSWORD)).status).toBe(200);
    expect((await choose(link.split("=")[1] ?? "")).status).toBe(422);

    const mailed = await add({ user_name: "jon", email_addresses: [{ email: "jon@x.example", type: "work" }] });
    expect(mailed.body.message.join(" ")).toContain("jon@x.example");
    await expect.poll(() => linkIn("jon@x.example")).toMatch(/^dt_/);
    expect((await choose(linkIn("jon@x.example"))).body.errors).toEqual([]);
    expect(await isConfirmed("jon@x.example")).toBe("1");
    expect((await signIn("jon@x.example", PASSWORD)).status).toBe(200);
  });
});
