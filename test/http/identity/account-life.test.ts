import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { passwordWork } from "../../cheap-argon2.ts";
import { type MailServer, type ReceivedMail, startMailServer } from "../../mail/mail-server.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

const PASSWORD = "a long enough secret";
const NEXT = "another long secret";
const users = "/access_controls/users";

let mail: MailServer;
let service: TestService;
let admin: string;
let rep: Person;

beforeAll(async () => {
  mail = await startMailServer();
  service = await startService({
    SMTP_URL: mail.url,
    PUBLIC_URL: "https://d.example",
    CORS_ORIGINS: "https://app.example",
  });
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  await addRows(service, "core/email_addresses", [
    { related_type: "access_controls/users", related_id: rep.id, email: "rep@x.example", is_primary: "1" },
  ]);
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

const post = (path: string, values: Record<string, unknown>, token?: string, more: Record<string, unknown> = {}) =>
  service.post(path, { data: { users: values }, ...more }, token);
const save = (
  type: string,
  operation: "add" | "edit",
  values: Record<string, unknown>,
  token = admin,
): Promise<Answer> => {
  const controller = type.split("/")[1] ?? "";
  return service.post(
    `/${type}/${operation}.json`,
    { data: { [controller]: values, action: { save_progress: "Save" } } },
    token,
  );
};
const tokenIn = (message: ReceivedMail): string => /(?:token|invitation)=([\w-]+)/.exec(message.text)?.[1] ?? "";
const mailTo = async (address: string, nth = 0): Promise<ReceivedMail> => {
  const all = () => mail.received.filter(({ to }) => to.includes(address));
  await expect.poll(() => all().length).toBeGreaterThan(nth);
  return all()[nth] as ReceivedMail;
};
const roleId = async (code: string): Promise<string> =>
  (await service.db.row(sql`select id from access_controls__roles where organization_id = 1 and code = ${code}`))?.id ??
  "";
const events = async (event: string, token = admin) => {
  const q = encodeURIComponent(JSON.stringify({ where: { event }, order: ["audit_events.id ASC"] }));
  const { body } = await service.get(`/access_controls/audit_events/index.json?q=${q}&limit=1000`, token);
  return body.paginate.data;
};

describe("an invitation", () => {
  const invite = async (email: string, role = "support"): Promise<Answer> =>
    save("access_controls/invitations", "add", { email, role_id: await roleId(role) });
  const accept = (token: string, user_name: string, more: Record<string, unknown> = {}) =>
    post(`${users}/signup.json`, {
      user_name,
      last_name: "Invited",
      user_password: PASSWORD,
      confirm_password: PASSWORD,
      is_license_agreement_accepted: "1",
      invitation: token,
      auto_login: "1",
      ...more,
    });

  test("lets the invited person in with the role that it names, once, and the address counts as confirmed", async () => {
    const made = await invite("ivy@x.example", "read_only");
    expect(made.body.data.invitations).toMatchObject({ status: "open", times_sent: "1" });
    const message = await mailTo("ivy@x.example");
    expect(message.text).toContain(`https://d.example${users}/signup?invitation=dt_`);
    const token = tokenIn(message);
    expect(JSON.stringify(made.body)).not.toContain(token);
    const form = await service.get(`${users}/signup.json?invitation=${token}`);
    expect(form.body).toMatchObject({ organization_id: "1", organization_name: "Test organization" });
    expect(form.body.data.users.email_addresses).toEqual([{ email: "ivy@x.example" }]);
    const answer = await accept(token, "ivy");
    expect(answer).toMatchObject({ status: 200, body: { organization_id: "1", access_token: expect.any(String) } });
    expect(answer.body.data.users.roles).toEqual(["read_only"]);
    expect((await accept(token, "ivy2")).status).toBe(422);
    const view = await service.get(`/access_controls/invitations/view.json?id=${made.body.id}`, admin);
    expect(view.body.data.invitations.status).toBe("accepted");
    const ivy = await service.get(`${users}/view.json?id=${answer.body.id}`, admin);
    expect(ivy.body.data.users.email_addresses).toMatchObject([{ email: "ivy@x.example", is_confirmed: "1" }]);
  });

  test("of ten who accept it at once admits one", async () => {
    await invite("race@x.example");
    const token = tokenIn(await mailTo("race@x.example"));
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => accept(token, `racer${index}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const made = await service.db.row(
      sql`select count(*)::text as n from access_controls__users where user_name like 'racer%'`,
    );
    expect(made?.n).toBe("1");
  });

  test("that is sent again has a new link, and the old one is void", async () => {
    const { body } = await invite("twice@x.example");
    const again = await invite("twice@x.example");
    expect(again.body.errors_by_field).toHaveProperty("invitations.email");
    const first = tokenIn(await mailTo("twice@x.example"));
    const resent = await service.post(`/access_controls/invitations/resend.json?id=${body.id}`, {}, admin);
    expect(resent.body.data.invitations.times_sent).toBe("2");
    const second = tokenIn(await mailTo("twice@x.example", 1));
    expect(second).not.toBe(first);
    expect((await accept(first, "twice")).body.errors_by_field).toHaveProperty("users.invitation");
    expect((await accept(second, "twice")).status).toBe(200);
    expect((await service.post(`/access_controls/invitations/resend.json?id=${body.id}`, {}, admin)).status).toBe(409);
  });

  test("that is revoked lets nobody in", async () => {
    const { body } = await invite("revoked@x.example");
    const token = tokenIn(await mailTo("revoked@x.example"));
    const revoked = await service.post(`/access_controls/invitations/revoke.json?id=${body.id}`, {}, admin);
    expect(revoked.body.data.invitations.status).toBe("revoked");
    expect((await accept(token, "revoked")).status).toBe(422);
  });

  test("that has run out lets nobody in, and stands in the way of no other", async () => {
    const { body } = await invite("late@x.example");
    const token = tokenIn(await mailTo("late@x.example"));
    await service.db.run(sql`
      update access_controls__invitations set expires = (now() at time zone 'utc') - interval '1 minute'
      where id = ${body.id}::uuid`);
    expect((await accept(token, "late")).body.errors_by_field).toHaveProperty("users.invitation");
    expect((await invite("late@x.example")).body.errors).toEqual([]);
  });

  test("is the business of administrators alone", async () => {
    const values = { email: "no@x.example", role_id: await roleId("support") };
    expect((await save("access_controls/invitations", "add", values, rep.token)).status).toBe(403);
    const list = await service.get("/access_controls/invitations/index.json", rep.token);
    expect(list.body.paginate?.data ?? []).toEqual([]);
  });

  test("goes out to a user whom an administrator adds, who then chooses a first password", async () => {
    const added = await save("access_controls/users", "add", {
      user_name: "fresh",
      last_name: "Fresh",
      roles_users: [{ role_id: await roleId("support") }],
      email_addresses: [{ email: "fresh@x.example" }],
    });
    expect(added.body.errors).toEqual([]);
    const message = await mailTo("fresh@x.example");
    expect(message.text).toContain("/access_controls/users/reset_forgotten_password?token=dt_");
    const set = await post(`${users}/reset_forgotten_password.json`, {
      token: tokenIn(message),
      user_password: NEXT,
      confirm_password: NEXT,
    });
    expect(set.status).toBe(200);
    expect(await service.login("fresh", NEXT)).toBeTruthy();
  });
});

describe("a forgotten password", () => {
  const ask = (user_name: string, callback_url = "") =>
    post(`${users}/activate_forgotten_password.json`, { user_name, callback_url });
  const reset = (token: string, user_password: string, confirm_password = user_password) =>
    post(`${users}/reset_forgotten_password.json`, { token, user_password, confirm_password });

  test("is replaced through a link that works once; every session of the user ends", async () => {
    const before = await service.login("rep", service.admin.password);
    const answer = await ask("REP", "https://app.example/reset?from=mail#top");
    expect(answer.status).toBe(200);
    const message = await mailTo("rep@x.example");
    expect(message.text).toMatch(/https:\/\/app\.example\/reset\?from=mail&token=dt_[\w-]+#top/);
    const token = tokenIn(message);
    const bad = await reset(token, "short", "other");
    expect(Object.keys(bad.body.errors_by_field).sort()).toEqual(["users.confirm_password", "users.user_password"]);
    expect(await reset(token, NEXT)).toMatchObject({ status: 200, body: { errors: [] } });
    expect((await reset(token, PASSWORD)).body.errors_by_field).toHaveProperty("users.token");
    expect((await service.get(`${users}/profile.json`, before)).status).toBe(401);
    rep = { ...rep, token: await service.login("rep", NEXT) };
    // A link that was asked for before somebody changed the password themselves is void.
    await ask("rep");
    const late = tokenIn(await mailTo("rep@x.example", 1));
    const change = (old_password: string, user_password: string) =>
      post(
        `${users}/change_password.json`,
        { old_password, user_password, confirm_password: user_password },
        rep.token,
      );
    expect((await change(NEXT, PASSWORD)).status).toBe(200);
    expect((await reset(late, NEXT)).body.errors_by_field).toHaveProperty("users.token");
    expect((await change(PASSWORD, NEXT)).status).toBe(200);
  });

  test("is answered the same, and at the same work, for a user who is not there", async () => {
    const answers: Answer[] = [];
    const costs: number[] = [];
    for (const name of ["rep", "nobody-of-that-name", "admin"]) {
      const before = passwordWork.done;
      answers.push(await ask(name));
      costs.push(passwordWork.done - before);
    }
    const [first, ...others] = answers.map(({ status, body }) => ({
      status,
      message: body.message,
      errors: body.errors,
      data: body.data,
    }));
    for (const other of others) expect(other).toEqual(first);
    expect(costs).toEqual([1, 1, 1]);
  });

  test("is never sent a link to a stranger's page", async () => {
    for (const callback of [
      "https://evil.example/",
      "javascript:alert(1)",
      "//evil.example",
      "http://localhost:3000/",
    ]) {
      expect((await ask("rep", callback)).body.errors_by_field).toHaveProperty("users.callback_url");
    }
  });
});

test("a failed login does the same work whether the user exists, is deactivated, has no password, or is nobody", async () => {
  await addPerson(service, "sleeper", ["sales_rep"]);
  await service.db.run(sql`update access_controls__users set is_active = 0 where user_name = 'sleeper'`);
  await save("access_controls/users", "add", { user_name: "passwordless", last_name: "P" });
  const costs: number[] = [];
  for (const user_name of ["rep", "sleeper", "passwordless", "nobody at all"]) {
    const before = passwordWork.done;
    const answer = await post(`${users}/login.json`, { user_name, user_password: "a wrong password" });
    expect(answer).toMatchObject({ status: 401, body: { message: ["Login failed"] } });
    costs.push(passwordWork.done - before);
  }
  expect(costs).toEqual([1, 1, 1, 1]);
});

describe("deactivating a user", () => {
  test("ends its sessions and keys at once, and hands its records over with their history", async () => {
    const leaver = await addPerson(service, "leaver", ["sales_rep"]);
    const key = await service.post(
      "/access_controls/api_keys/add.json",
      { data: { api_keys: { name: "k" } } },
      leaver.token,
    );
    const lead = await save("crm/leads", "add", { last_name: "Handed" }, leaver.token);
    expect(lead.body.errors).toEqual([]);
    const deleted = await save("crm/leads", "add", { last_name: "Deleted before" }, leaver.token);
    await service.post(`/crm/leads/delete.json?id=${deleted.body.id}&is_confirm=1`, {}, leaver.token);
    const said = { related_type: "crm/leads", related_id: lead.body.id, body: "Call back" };
    const comment = await save("core/comments", "add", said, admin);
    expect(comment.body.errors).toEqual([]);
    const before = await service.get("/crm/leads/index.json", admin);
    // What is told to somebody stays theirs.
    await addRows(service, "core/notifications", [{ owned_by: leaver.id, kind: "mention", text: "For you" }]);
    const ofRep = async () => (await service.get("/crm/leads/index.json", rep.token)).body.paginate.total_count;
    const own = await ofRep();
    const answer = await service.post(`${users}/deactivate.json?id=${leaver.id}&hand_over_to=${rep.id}`, {}, admin);
    expect(answer).toMatchObject({ status: 200, body: { errors: [] } });
    expect(answer.body.handed_over).toEqual({ "crm/leads": 2 });
    for (const token of [leaver.token, key.body.data.api_keys.secret]) {
      expect((await service.get(`${users}/profile.json`, token)).status).toBe(401);
    }
    await expect(service.login("leaver", service.admin.password)).rejects.toThrow();
    const seen = await service.get(`/crm/leads/view.json?id=${lead.body.id}`, rep.token);
    expect(seen.body.data.leads).toMatchObject({ owned_by: rep.id, revision: "2" });
    expect(seen.body.is_editable).toBe(1);
    // What is attached to it comes along.
    const read = await service.get(`/core/comments/view.json?id=${comment.body.id}`, rep.token);
    expect(read.body.data?.comments).toMatchObject({ body: "Call back" });
    const history = await service.get(`/crm/leads/revisions.json?id=${lead.body.id}`, admin);
    expect(JSON.stringify(history.body)).toContain("owned_by");
    const after = await service.get("/crm/leads/index.json", admin);
    expect(after.body.paginate.total_count).toBe(before.body.paginate.total_count);
    expect(await ofRep()).toBe(own + 1);
    const back = await service.post(`${users}/activate.json?id=${leaver.id}`, {}, admin);
    expect(back.status).toBe(200);
    expect((await service.get(`${users}/profile.json`, leaver.token)).status).toBe(401);
    expect(await service.login("leaver", service.admin.password)).toBeTruthy();
  });

  test("is for administrators, never of oneself, and hands over only to somebody who is there", async () => {
    const own = (
      await service.db.row(sql`select user_id::text as id from access_controls__user_names where user_name = 'admin'`)
    )?.id;
    expect((await service.post(`${users}/deactivate.json?id=${rep.id}`, {}, rep.token)).status).toBe(403);
    expect((await service.post(`${users}/deactivate.json?id=${own}`, {}, admin)).status).toBe(409);
    const nobody = await service.post(`${users}/deactivate.json?id=${rep.id}&hand_over_to=99999`, {}, admin);
    expect(nobody.body.errors_by_field).toHaveProperty("users.hand_over_to");
    const gone = await addPerson(service, "gone", ["sales_rep"]);
    await service.post(`${users}/deactivate.json?id=${gone.id}`, {}, admin);
    const left = await service.post(`${users}/deactivate.json?id=${rep.id}&hand_over_to=${gone.id}`, {}, admin);
    expect(left.body.errors_by_field).toHaveProperty("users.hand_over_to");
    expect((await service.get(`${users}/profile.json`, rep.token)).status).toBe(200);
  });
});

describe("a person's own account", () => {
  test("keeps time zone, hour format, locale and theme as everybody may choose them", async () => {
    const shown = await service.get(`${users}/profile.json`, rep.token);
    expect(shown.body).toMatchObject({ timezones: { UTC: "UTC" }, data: { users: { user_name: "rep" } } });
    const change = {
      time_zone: "Europe/Berlin",
      hour_format: "12",
      locale: "de-DE",
      theme: "default/dark",
      first_name: "Rea",
    };
    const before = await service.get("/core/changes/index.json", rep.token);
    const saved = await post(`${users}/profile.json`, change, rep.token);
    expect(saved.body.data.users).toMatchObject({ ...change, name: "Rea rep" });
    // It is a change like any other: in the history, in the feed, and in force at once.
    const past = await service.get(`${users}/revisions.json?id=${rep.id}`, rep.token);
    const [{ operation, changes }] = past.body.data.revisions;
    const was = Object.fromEntries(changes.map(({ field, from, to }: Record<string, string>) => [field, [from, to]]));
    expect([operation, was.name]).toEqual(["edit", ["rep", "Rea rep"]]);
    const feed = await service.get(`/core/changes/index.json?after=${before.body.cursor}`, rep.token);
    expect(feed.body.data.changes).toMatchObject([
      { operation: "edit", controller: "access_controls/users", id: rep.id },
    ]);
    const german = await service.get("/crm/leads/view.json?id=999999", rep.token);
    expect(german.body.errors[0]).toContain("nicht gefunden");
    const wrong = await post(
      `${users}/profile.json`,
      { time_zone: "X", hour_format: "13", locale: "xx", theme: "y", last_name: "" },
      rep.token,
    );
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.body.errors_by_field)).toHaveLength(5);
    expect((await service.get(`${users}/profile.json`, rep.token)).body.data.users).toMatchObject(change);
  });

  test("lists where one is logged in, and ends one of those sessions", async () => {
    const here = await service.login("rep", NEXT);
    const there = await service.login("rep", NEXT);
    const { body } = await service.get("/access_controls/sessions/mine.json", here);
    expect(body.data.sessions.filter((one: { is_current: string }) => one.is_current === "1")).toHaveLength(1);
    const other = await service.get("/access_controls/sessions/mine.json", there);
    const id = other.body.data.sessions.find((one: { is_current: string }) => one.is_current === "1").id;
    const stranger = await addPerson(service, "stranger", ["sales_rep"]);
    expect((await service.post(`/access_controls/sessions/end.json?id=${id}`, {}, stranger.token)).status).toBe(404);
    expect((await service.post(`/access_controls/sessions/end.json?id=${id}`, {}, here)).status).toBe(200);
    expect((await service.get(`${users}/profile.json`, there)).status).toBe(401);
    expect((await service.get(`${users}/profile.json`, here)).status).toBe(200);
  });

  test("gets no API key that has run out before it begins", async () => {
    const make = (expires: string) =>
      service.post("/access_controls/api_keys/add.json", { data: { api_keys: { name: "old", expires } } }, rep.token);
    expect((await make("2020-01-01 00:00:00")).body.errors_by_field).toHaveProperty("api_keys.expires");
    expect((await make("2999-01-01 00:00:00")).status).toBe(200);
  });
});

describe("the license agreement", () => {
  const LICENSE = `${users}/license_agreement.json`;

  test("is a text that anybody may read", async () => {
    const { status, body } = await service.get(LICENSE);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      errors: [],
      message: [],
      notEmptyField: [],
      data: [],
      user_id: null,
      user_fullname: null,
    });
    expect(body.license_agreement).toMatch(/<h1>Terms of use<\/h1>[\s\S]{2000}/);
    expect(body.license_agreement_version).toBe("1");
  });

  test("of a new version can be required anew; older programs log in as before", async () => {
    expect(
      (await post(`${users}/login.json`, { user_name: "rep", user_password: NEXT })).body.is_license_agreement_required,
    ).toBe(0);
    const text = '<h1>New terms</h1><p>Read <a href="https://d.example/terms">them</a>.</p>';
    const made = await save("access_controls/license_agreements", "add", {
      title: "New terms",
      text,
      is_required_again: "1",
    });
    expect(made.body.data.license_agreements).toMatchObject({ version: "2" });
    expect((await service.get(LICENSE)).body).toMatchObject({
      license_agreement: text,
      license_agreement_version: "2",
    });
    const login = await post(`${users}/login.json`, { user_name: "rep", user_password: NEXT });
    expect(login.body).toMatchObject({
      access_token: expect.any(String),
      is_license_agreement_required: 1,
      license_agreement_version: "2",
    });
    // Who was logged in before hears of it as well.
    const heard = async () => (await service.get("/core/notifications/unread.json", rep.token)).body;
    expect(await heard()).toMatchObject({ is_license_agreement_required: 1, license_agreement_version: "2" });
    const accept = (version: string) =>
      service.post(`${users}/accept_license_agreement.json?version=${version}`, {}, login.body.access_token);
    expect((await accept("1")).status).toBe(409);
    expect((await Promise.all([accept("2"), accept("2")])).map(({ status }) => status)).toEqual([200, 200]);
    expect(await heard()).toMatchObject({ is_license_agreement_required: 0 });
    expect(
      (await post(`${users}/login.json`, { user_name: "rep", user_password: NEXT })).body.is_license_agreement_required,
    ).toBe(0);
    const accepted = await service.db.rows(sql`
      select version from access_controls__license_acceptances where organization_id = 1 and user_id = ${rep.id}::bigint`);
    expect(accepted).toEqual([{ version: "2" }]);
  });

  test("of a still newer version is asked for again, whatever was accepted before", async () => {
    await save("access_controls/license_agreements", "add", {
      title: "Newest terms",
      text: "<p>Newest</p>",
      is_required_again: "1",
    });
    const login = await post(`${users}/login.json`, { user_name: "rep", user_password: NEXT });
    expect(login.body).toMatchObject({ is_license_agreement_required: 1, license_agreement_version: "3" });
    await service.post(`${users}/accept_license_agreement.json?version=3`, {}, login.body.access_token);
    expect(
      (await post(`${users}/login.json`, { user_name: "rep", user_password: NEXT })).body.is_license_agreement_required,
    ).toBe(0);
  });

  test("is published by administrators alone, can do nothing but be read, and never changes afterwards", async () => {
    const publish = (text: string, token = admin) =>
      save("access_controls/license_agreements", "add", { title: "T", text }, token);
    for (const text of [
      "<p>x</p><script>alert(1)</script>",
      '<p onclick="x()">y</p>',
      '<a href="javascript:x()">y</a>',
      '<a href="https://x" style="x">y</a>',
      "<img src=x>",
      "1 < 2",
      "<p></p>",
      "<svg/onload=x>",
    ]) {
      expect((await publish(text)).body.errors_by_field, text).toHaveProperty("license_agreements.text");
    }
    expect((await publish("<p>Fine</p>", rep.token)).status).toBe(403);
    const id = (
      await service.db.row(sql`select id from access_controls__license_agreements order by version desc limit 1`)
    )?.id;
    const edit = await save("access_controls/license_agreements", "edit", { id, text: "<p>Other</p>" });
    expect(edit.status).toBe(403);
  });

  test("of an organization of its own is its own", async () => {
    const form = (await service.get(`${users}/signup.json`)).body;
    const founded = await post(`${users}/signup.json`, {
      user_name: "founder",
      last_name: "Founder",
      user_password: PASSWORD,
      confirm_password: PASSWORD,
      is_license_agreement_accepted: "1",
      role_id: form.signup_roles[0].value,
      organizations: { name: "Own", currency_id: form.currencies[0].value },
      auto_login: "1",
    });
    const made = await save(
      "access_controls/license_agreements",
      "add",
      { title: "Own", text: "<p>Own terms</p>" },
      founded.body.access_token,
    );
    expect(made.body.data.license_agreements.version).toBe("1");
    const own = await service.get(`${LICENSE}?organization_id=${founded.body.organization_id}`);
    expect(own.body.license_agreement).toBe("<p>Own terms</p>");
    expect((await service.get(LICENSE)).body.license_agreement).not.toBe("<p>Own terms</p>");
  });
});

test("a role keeps its code, by which policies and forms name it, and its name may change", async () => {
  const { body } = await save("access_controls/roles", "add", { name: "Guest", code: "guest" });
  const renamed = await save("access_controls/roles", "edit", { id: body.id, code: "visitor" });
  expect([renamed.status, Object.keys(renamed.body.errors_by_field)]).toEqual([422, ["roles.code"]]);
  const called = await save("access_controls/roles", "edit", { id: body.id, name: "Visitor" });
  expect(called.body.data.roles).toMatchObject({ name: "Visitor", code: "guest" });
});

test("a group holds people and groups, never itself, and the log calls its members' entries by its name", async () => {
  const group = async (name: string, members: Record<string, string>[] = []) =>
    (await save("access_controls/groups", "add", { name, members })).body.id as string;
  const inner = await group("Inner", [{ user_id: rep.id }]);
  const middle = await group("Middle", [{ member_group_id: inner }]);
  const outer = await group("Outer", [{ member_group_id: middle }]);
  const put = (into: string, member_group_id: string) =>
    save("access_controls/groups", "edit", { id: into, members: [{ member_group_id }] });
  for (const [into, member] of [
    [inner, inner],
    [inner, outer],
  ] as const) {
    const { status, body } = await put(into, member);
    expect([status, body.errors]).toEqual([409, ["A group can't contain itself or a group that it belongs to"]]);
  }
  expect((await put(outer, inner)).status).toBe(200);
  const names = (await events("group_changed")).map((row: Record<string, string>) => row["audit_events.subject_name"]);
  expect(new Set(names)).toEqual(new Set(["Inner", "Middle", "Outer"]));
});

describe("the audit log", () => {
  test("holds what matters, with who did it, and none of the secrets", async () => {
    await save("access_controls/role_operations", "add", {
      role_id: await roleId("support"),
      record_type: "crm/leads",
      operations: ["index"],
    });
    await service.get("/crm/leads/export.json?format=csv", admin);
    const happened = [
      "login",
      "login_failed",
      "signup",
      "password_reset_requested",
      "password_reset",
      "invitation_created",
      "invitation_resent",
      "invitation_revoked",
      "invitation_accepted",
      "user_added",
      "user_deactivated",
      "user_reactivated",
      "records_handed_over",
      "permission_changed",
      "role_assigned",
      "api_key_created",
      "session_ended",
      "license_published",
      "license_accepted",
      "export",
    ];
    for (const event of happened) expect((await events(event)).length, event).toBeGreaterThan(0);
    const [failed] = await events("login_failed");
    expect(failed["audit_events.address"]).toBe("127.0.0.1");
    const names = (await events("login_failed")).map((row: Record<string, string>) => row["audit_events.user_name"]);
    expect(names).toContain("nobody at all");
    const all = await service.db.rows(sql`select * from access_controls__audit_events`);
    expect(JSON.stringify(all)).not.toMatch(/dt_\d|dk_\d|secret|correct-horse/);
  });

  test("is seen by administrators alone", async () => {
    expect(await events("login", rep.token)).toEqual([]);
  });

  test("cannot be changed, neither over the wire nor by a statement of the service itself", async () => {
    const [row] = await events("login");
    const id = row["audit_events.id"];
    expect((await save("access_controls/audit_events", "edit", { id, address: "x" })).status).toBe(409);
    expect((await save("access_controls/audit_events", "add", { event: "login" })).status).toBe(409);
    expect((await service.get(`/access_controls/audit_events/delete.json?id=${id}&is_confirm=1`, admin)).status).toBe(
      409,
    );
    for (const statement of [
      sql`update access_controls__audit_events set address = 'x' where organization_id = 1`,
      sql`delete from access_controls__audit_events where organization_id = 1`,
      sql`truncate access_controls__audit_events`,
    ]) {
      await expect(service.db.run(statement)).rejects.toThrow();
    }
    expect(await events("login")).toContainEqual(row);
  });
});

test("signups, logins and requests for links slow down per name and per address", async () => {
  const same = { connection: service.connection, db: service.db, close: async () => undefined };
  const throttled = await startService({ RATE_LIMIT: "100000" }, same);
  try {
    const attempts: Record<string, (name: string) => Promise<Answer>> = {
      login: (user_name) =>
        throttled.post(`${users}/login.json`, { data: { users: { user_name, user_password: "x" } } }),
      signup: (user_name) => throttled.post(`${users}/signup.json`, { data: { users: { user_name } } }),
      reset: (user_name) =>
        throttled.post(`${users}/activate_forgotten_password.json`, { data: { users: { user_name } } }),
    };
    for (const [what, attempt] of Object.entries(attempts)) {
      await service.db.script("truncate access_controls__throttles");
      for (let count = 0; count < 5; count += 1) expect((await attempt("sameone")).status).not.toBe(429);
      const refused = await attempt("SameOne");
      expect([what, refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([what, 429, true]);
      expect((await attempt("other")).status).not.toBe(429);
      await service.db.run(sql`update access_controls__throttles set failures = failures + 50`);
      await attempt("third");
      expect((await attempt("fourth")).status, what).toBe(429);
    }
  } finally {
    await throttled.stop();
  }
});
