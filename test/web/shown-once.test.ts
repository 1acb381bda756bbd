// What the service says once, in the browser: links of invitations and of new users, and the secrets of API keys and webhooks. Each is
// shown in a dialog that does not close by accident, can be copied, works, and is nowhere afterwards.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { type Endpoint, startEndpoint } from "../http/webhooks/endpoint.ts";
import {
  type App,
  allPhoneFaults,
  enterQuickly,
  expectAccessible,
  heading,
  openApp,
  phoneFaults,
  sees,
  shoot,
  untilQuiet,
} from "./app.ts";
import { inBrowser } from "./browser.ts";

const PASSWORD = "a long enough secret";
const wide = { viewport: { width: 1440, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] };
const phone = { viewport: { width: 390, height: 844 }, permissions: ["clipboard-read", "clipboard-write"] };

inBrowser("what is shown once", () => {
  let app: App;
  let endpoint: Endpoint;
  beforeAll(async () => {
    endpoint = await startEndpoint();
    app = await openApp({ WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1" });
  });
  afterEach(() => app.leave());
  afterAll(async () => {
    await app.stop();
    await endpoint.close();
  });

  const inArabic = (page: Page) => page.addInitScript(() => localStorage.setItem("dossier.language", "ar"));
  const look = async (page: Page, name: string) => {
    await expectAccessible(page);
    await shoot(page, `once-${name}-${page.viewportSize()?.width}`);
  };
  /** What the open dialog shows; it is closed. */
  const copied = async (page: Page, label: string, copy: string, done = "Done"): Promise<string> => {
    const dialog = page.getByRole("dialog");
    const value = await dialog.getByLabel(label).inputValue();
    await page.keyboard.press("Escape");
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByRole("button", { name: copy }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(value);
    await dialog.getByRole("button", { name: done, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    return value;
  };

  test("the link of an invitation, sent and sent again; the earlier one no longer works", async () => {
    const page = await app.visit(wide);
    await enterQuickly(app, page, "/administration?part=invitations");
    await page.getByRole("button", { name: "Invite someone" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Email").fill("ivy@x.example");
    await dialog.getByLabel("Role").and(page.locator("input")).first().click();
    await page.getByRole("option", { name: "Support" }).click();
    await dialog.getByRole("button", { name: "Send invitation" }).click();
    await page.getByRole("dialog", { name: "Invitation link" }).waitFor();
    await sees(page, "This link is shown only once");
    await look(page, "invitation");
    const first = await copied(page, "Link", "Copy link");
    await page.getByRole("button", { name: "Resend the invitation to ivy@x.example" }).click();
    await page.getByRole("dialog", { name: "Invitation link" }).waitFor();
    const second = await copied(page, "Link", "Copy link");
    expect(second).not.toBe(first);

    await app.leave();
    const guest = await app.visit(phone);
    await guest.goto(first);
    await sees(guest, "This invitation is no longer valid");
    // People who join are in people.test.ts: here it is enough that the service knows this one.
    const { pathname, search } = new URL(second);
    const { body } = await app.service.get(`${pathname}.json${search}`);
    expect(JSON.stringify(body)).toContain("ivy@x.example");
  });

  test("the link of an invitation that was added with the ordinary form, and the note on that of a new user, in Arabic", async () => {
    const page = await app.visit(phone);
    await inArabic(page);
    await enterQuickly(app, page, "/access_controls/invitations/add");
    await page.getByRole("textbox", { name: /^البريد الإلكتروني/ }).fill("joe@x.example");
    await page
      .getByRole("combobox", { name: /^الدور/ })
      .or(page.getByRole("textbox", { name: /^الدور/ }))
      .first()
      .click();
    await page.getByRole("option", { name: "Support" }).click();
    await page.getByRole("button", { name: "حفظ", exact: true }).click();
    await page.getByRole("dialog", { name: "رابط الدعوة" }).waitFor();
    await shoot(page, "once-invitation-arabic-390");
    expect(await allPhoneFaults(page, false)).toEqual([]);
    expect(await copied(page, "الرابط", "نسخ الرابط", "تم")).toContain(`${app.url}/access_controls/users/signup?`);
    await page.goto("/access_controls/users/add");
    await sees(page, "كيف يسجّل هذا المستخدم الدخول");
    await shoot(page, "once-new-user-arabic-390");
    expect(await phoneFaults(page)).toEqual([]);
  });

  test("a new user: the form says how they sign in, and the link lets them choose a password", async () => {
    const page = await app.visit(wide);
    await enterQuickly(app, page, "/administration");
    await page.getByRole("link", { name: "New user" }).click();
    await sees(page, "Without an email address, no invitation is sent.");
    await page.getByLabel(/^User name/).fill("linked");
    await page.getByLabel(/^Last name/).fill("Linked");
    await look(page, "new-user");
    await page.getByRole("button", { name: /^Add email address/ }).click();
    await page.getByRole("textbox", { name: /^E-?mail.*row 1/ }).fill("linked@x.example");
    await sees(page, /so linked@x\.example won’t get an email/);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("dialog", { name: "Link to choose a password" }).waitFor();
    const link = await copied(page, "Link", "Copy link");
    await page.reload();
    await heading(page, "Linked").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);

    // Its page is in people.test.ts.
    const { pathname, searchParams } = new URL(link);
    expect(pathname).toBe("/access_controls/users/reset_forgotten_password");
    const users = { token: searchParams.get("token"), user_password: PASSWORD, confirm_password: PASSWORD };
    const chosen = await app.service.post(`${pathname}.json`, { data: { users }, token: users.token });
    expect(chosen.body.errors).toEqual([]);
    expect(await app.service.login("linked", PASSWORD)).toBeTruthy();
  });

  test("the secret of an API key, whose ordinary form is a dialog with pickers, and never again", async () => {
    const { service } = app;
    const admin = await service.login();
    const [role] = (await service.get("/access_controls/users/signup.json")).body.signup_roles;
    const users = { last_name: "Sync", is_service_account: "1", roles_users: [{ role_id: role.value }] };
    const add = async (user_name: string): Promise<string> => {
      const data = { users: { ...users, user_name }, action: { save_progress: "Save" } };
      return (await service.post("/access_controls/users/add.json", { data }, admin)).body.id;
    };
    const [account] = [await add("sync"), await add("other.sync")];
    const page = await app.visit(wide);
    // An administrator's: for the account that the address names, not with their own rights.
    await enterQuickly(app, page, `/access_controls/api_keys/add?user_id=${account}`);
    await page.getByRole("dialog").getByLabel(/^Name/).fill("From the form");
    await page.getByRole("button", { name: "Create key", exact: true }).last().click();
    await page.getByRole("dialog", { name: "Copy your key" }).waitFor();
    const secret = await copied(page, "Secret key", "Copy");
    expect((await service.get("/development_base/menus/app_menu.json", secret)).body.user_id).toBe(account);
    await page.getByRole("row", { name: /^From the form/ }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.reload();
    await page.getByRole("row", { name: /^From the form/ }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await page.content()).not.toContain(secret);
  });

  test("the secret of a webhook; its page shows what was sent, a test of it, and a new secret", async () => {
    const page = await app.visit(wide);
    await enterQuickly(app, page, "/core/webhooks/add");
    await page.getByLabel(/^Name/).fill("To the shop");
    await page.getByLabel(/^Address/).fill("http://127.0.0.2/inside");
    await page
      .getByLabel(/^Record types/)
      .and(page.locator("input"))
      .first()
      .click();
    await page.getByRole("option", { name: "Leads", exact: true }).click();
    await page.keyboard.press("Escape");
    // Only hot ones, built like the filter of a list.
    await page.getByRole("button", { name: "Add condition" }).click();
    await page.getByRole("option", { name: "Rating" }).click();
    await page.getByText("Hot", { exact: true }).click();
    await look(page, "webhook-condition");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await sees(page, "This address is in a private network.");
    await page.getByLabel(/^Address/).fill(`${endpoint.url}/shop`);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("dialog", { name: "Signing secret" }).waitFor();
    const secret = await copied(page, "Secret", "Copy");
    expect(secret).toMatch(/^whsec_/);
    await heading(page, "To the shop").waitFor();
    await sees(page, "No deliveries yet.");
    await page.getByText(/^Rating is any of/).waitFor();
    const hook = await app.service.db.row(
      sql`select id::text as id, condition::text as condition from core__webhooks where name = 'To the shop'`,
    );
    expect(JSON.parse(hook?.condition ?? "")).toEqual({ where: [{ "leads.rating": { op: "in", value: ["hot"] } }] });
    // What is sent while somebody looks on is there without their doing anything.
    const lead = { leads: { last_name: "Elsewhere", rating: "hot" }, action: { save_progress: "Save" } };
    const { body } = await app.service.post("/crm/leads/add.json", { data: lead }, await app.service.login());
    expect(body.errors).toEqual([]);
    await page
      .getByRole("row", { name: /^Created · Leads/ })
      .getByText("Delivered")
      .waitFor();
    await page.getByRole("button", { name: "Send test" }).click();
    const sent = page.getByRole("row", { name: /^Test/ });
    await sent.getByText("Delivered").waitFor();
    await page.getByRole("columnheader", { name: "Actions", exact: true }).waitFor();
    await page.getByRole("button", { name: "Send again: Test" }).click();
    await expect.poll(() => endpoint.at("/shop").length, { timeout: 20_000 }).toBe(3);
    await sent.getByText("Delivered").waitFor();
    await look(page, "webhook-page");
    await page.getByRole("button", { name: "New secret" }).click();
    await page.getByRole("button", { name: "Create new secret" }).click();
    await page.getByRole("dialog", { name: "Signing secret" }).waitFor();
    expect(await copied(page, "Secret", "Copy")).not.toBe(secret);
    // One that was turned off says so and why, with the way to turn it on. What the builder can't show is text, here and in the
    // form.
    const put = (where: string, types = "crm/leads;crm/companies") =>
      app.service.db.run(sql`
        update core__webhooks set record_types = ${types}, condition = ${`{"where":${where}}`}::jsonb
        where id = ${hook?.id ?? ""}::bigint`);
    await app.service.db.run(sql`
      update core__webhooks set is_active = 0, problem = 'Turned off: the endpoint answered 410 Gone.'
      where id = ${hook?.id ?? ""}::bigint`);
    await page.setViewportSize(phone.viewport);
    await page.reload();
    const off = page.getByRole("alert").filter({ hasText: "This webhook is turned off" });
    await off.getByText("Turned off: the endpoint answered 410 Gone.").waitFor();
    expect(await phoneFaults(page)).toEqual([]);
    await shoot(page, "once-webhook-page-390");
    await off.getByRole("button", { name: "Turn on" }).click();
    await off.waitFor({ state: "detached" });
    await put('{"leads.rating":["hot",null]}');
    await page.reload();
    const json = page.getByRole("textbox", { name: "JSON" });
    await expect.poll(() => json.inputValue()).toMatch(/"hot",\s+null/);
    await page.setViewportSize(wide.viewport);
    await page.goto(`/core/webhooks/edit?id=${hook?.id}`);
    await expect.poll(() => json.inputValue()).toMatch(/"hot",\s+null/);
    await sees(page, "The condition builder can't show all of this condition.");
    expect(await page.getByRole("button", { name: "Add condition" }).count()).toBe(0);
    // A name that means something for each of the types stays.
    await put('{"leads.rating":"hot"}');
    await page.reload();
    await page.getByRole("button", { name: "Add condition" }).waitFor();
    await untilQuiet(page);
    await page.getByRole("button", { name: "View JSON" }).click();
    expect(await json.inputValue()).toContain('"leads.rating": "hot"');
    // For one type it goes on for several once another is added, also as text.
    await put('{"leads.rating":"hot"}', "crm/leads");
    await page.reload();
    await page.getByRole("button", { name: "View JSON" }).click();
    await page
      .getByLabel(/^Record types/)
      .and(page.locator("input"))
      .first()
      .click();
    await page.getByRole("option", { name: "Companies", exact: true }).click();
    await expect.poll(() => json.inputValue()).toContain('"{{MODEL}}.rating": "hot"');
    // A list calls record types by their names as well.
    await page.goto("/core/webhooks/index");
    await page.getByRole("gridcell", { name: "Leads", exact: true }).waitFor();
  });
});
