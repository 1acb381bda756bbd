// One's own account: profile, password, two-step login, API keys that really open the service.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { stepAt, totpCode } from "../../server/lib/secrets/totp.ts";
import { type App, enterQuickly, expectAccessible, fillLogin, follow, heading, openApp, sees, shoot } from "./app.ts";
import { inBrowser } from "./browser.ts";
import { addLeads } from "./leads.ts";

inBrowser("the account", () => {
  let app: App;
  beforeAll(async () => {
    app = await openApp();
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("the profile's time zone, locale and clock rule every time at once, whatever the browser's are", async () => {
    const [id = ""] = await addLeads(app.service);
    await app.service.db.run(sql`
      update crm__leads set last_contacted = '2026-03-04 18:05:00' where organization_id = 1 and id = ${id}::bigint`);
    const page = await app.visit({ timezoneId: "America/Lima", locale: "en-US" });
    await enterQuickly(app, page, "/account");
    const choose = async (label: string, typed: string, option: string) => {
      await page.getByLabel(label, { exact: true }).first().click();
      if (typed !== "") await page.getByLabel(label, { exact: true }).first().fill(typed);
      await page.getByRole("option", { name: option, exact: true }).click();
    };
    await choose("Time zone", "Asia/Tokyo", "Asia/Tokyo");
    await choose("Time format", "", "24-hour (14:30)");
    await page.getByRole("button", { name: "Save profile" }).click();
    await sees(page, "Profile updated");
    // By links alone: nothing is loaded anew.
    await page.evaluate(() => Object.assign(window, { stays: true }));
    await follow(page, `/crm/leads/view?id=${id}`);
    await heading(page, "Tove Ash").waitFor();
    await sees(page, "Mar 5, 2026, 03:05");
    expect(await page.evaluate(() => "stays" in window)).toBe(true);
    await page.goto(`/crm/leads/edit?id=${id}`);
    const input = page.getByLabel("Last contacted");
    await expect.poll(() => input.inputValue()).toBe("Mar 5, 2026, 03:05");
    await input.fill("3/6/2026, 8:30 AM");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    // Answered, not only written: leaving before that would end the answer on its way. "Edit Tove Ash" is the form's heading.
    await heading(page, /^Tove Ash$/).waitFor();
    await expect
      .poll(async () => await app.service.db.row(sql`select last_contacted from crm__leads where id = ${id}::bigint`))
      .toEqual({ last_contacted: "2026-03-05 23:30:00" });
    await follow(page, "/account");
    await expect.poll(() => page.getByLabel("Time zone", { exact: true }).first().inputValue()).toBe("Asia/Tokyo");
  });

  test("makes a key that works until it is revoked, limits it, makes service accounts, shares a view by its address, and reads the reference", async () => {
    const { service } = app;
    const token = await service.login();
    const definition = {
      module: "crm",
      controller: "gadgets",
      label: "Gadget",
      plural: "Gadgets",
      displayField: "name",
      fields: [{ name: "name", type: "short-text", required: true }],
      access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
    };
    const made = await service.post(
      "/metadata/record_types/save.json",
      { definition: JSON.stringify(definition) },
      token,
    );
    expect(made.body.errors).toEqual([]);
    const spare = await service.post(
      "/access_controls/api_keys/add.json",
      { data: { api_keys: { name: "Spare", scope: "read" }, action: { save_progress: "Save" } } },
      token,
    );
    expect(spare.body.errors).toEqual([]);
    const permissions = ["clipboard-read", "clipboard-write"];
    const page = await app.visit({ viewport: { width: 1440, height: 900 }, permissions });
    await enterQuickly(app, page, "/account");
    const dialog = page.getByRole("dialog");
    const box = (label: string) => page.getByLabel(label, { exact: true }).and(page.locator("input")).first();
    const secretOf = async (label: string): Promise<string> => {
      const value = await dialog.getByLabel(label).inputValue();
      await dialog.getByRole("button", { name: "Done", exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      return value;
    };
    await page.getByRole("button", { name: "New key" }).click();
    await dialog.getByRole("button", { name: "Create key" }).click();
    await sees(page, "Enter a name so you can");
    await dialog.getByLabel("Name").fill("Lead sync");
    await dialog.getByText("Read and write").click();
    await dialog.getByRole("button", { name: "Limit this key" }).click();
    await box("Record types").click();
    await page.getByRole("option", { name: "Leads", exact: true }).click();
    await page.keyboard.press("Tab");
    await dialog.getByRole("checkbox", { name: "Delete" }).uncheck();
    await dialog.getByLabel("Allowed addresses").fill("300.1.1.1");
    await expectAccessible(page);
    await shoot(page, "key-limits");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await sees(page, /300\.1\.1\.1/);
    await dialog.getByLabel("Allowed addresses").fill("127.0.0.0/8 ::1");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByLabel("Secret key").waitFor();
    await page.keyboard.press("Escape");
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByRole("button", { name: "Copy" }).click();
    await dialog.getByRole("button", { name: "Copied" }).waitFor();
    const limited = await secretOf("Secret key");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(limited);
    const row = page.getByRole("row", { name: /^Lead sync/ });
    await row.getByText("Active").waitFor();
    expect(await page.getByText(limited).count()).toBe(0);
    await row.getByText("Leads: List, View, Add, Edit, Comment, Import, Export, Bulk").waitFor();
    const status = async (address: string, key: string) => (await service.get(address, key)).status;
    expect(await status("/crm/leads/index.json", limited)).toBe(200);
    expect(await status("/crm/companies/index.json", limited)).toBe(403);
    const own = page.getByRole("row", { name: /^Spare/ });
    await own.getByRole("button", { name: "Revoke Spare" }).click();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await own.getByText("Revoked").waitFor();

    await follow(page, "/administration?part=api_keys");
    const others = page.getByRole("row", { name: /^Lead sync/ });
    await others.getByText("From 127.0.0.0/8 ::1").waitFor();
    await page.getByRole("button", { name: "New service account" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("Web shop");
    await expect.poll(() => dialog.getByLabel("User name").inputValue()).toBe("web.shop");
    await box("Role").click();
    await page.getByRole("option", { name: "Support" }).click();
    await shoot(page, "service-account");
    await dialog.getByRole("button", { name: "Create service account" }).click();
    await sees(page, "Service account Web shop created");
    // Its first key follows at once.
    await page.getByRole("dialog", { name: "New key" }).waitFor();
    await expect.poll(() => box("Service account").inputValue()).toBe("Web shop");
    await dialog.getByLabel("Name", { exact: true }).fill("Orders");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const shop = await secretOf("Secret key");
    await page
      .getByRole("row", { name: /^Orders/ })
      .getByText("Service account")
      .waitFor();
    expect((await service.get("/development_base/menus/app_menu.json", shop)).body.user_fullname).toBe("Web shop");
    await shoot(page, "all-keys");
    await others.getByRole("button", { name: "Revoke Lead sync" }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await status("/crm/leads/index.json", limited)).toBe(200);
    await others.getByRole("button", { name: "Revoke Lead sync" }).click();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await others.getByText("Revoked").waitFor();
    expect(await status("/crm/leads/index.json", limited)).toBe(401);

    await follow(page, "/crm/leads/index");
    await page.getByRole("button", { name: "View options" }).click();
    await page.getByRole("menuitem", { name: "Subscribe" }).click();
    await dialog.getByText("CSV table").click();
    await shoot(page, "subscribe");
    await dialog.getByRole("button", { name: "Create address" }).click();
    const feed = await secretOf("Feed address");
    expect(feed).toContain(`${app.url}/feeds/list.csv?key=df_`);
    expect((await fetch(feed)).status).toBe(200);

    await follow(page, "/account");
    const links = page.getByRole("region", { name: "Feed links", exact: true });
    await links.getByRole("button", { name: /^Revoke/ }).click();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await links.getByText("No feed links yet").waitFor();
    expect((await fetch(feed)).status).toBe(404);

    await page.getByRole("link", { name: "API reference" }).click();
    await heading(page, "API reference").waitFor();
    await sees(page, "/crm/leads/add.json");
    await box("Record type or subject").fill("gadgets");
    await page.getByRole("option", { name: "Gadgets (crm/gadgets)" }).click();
    await sees(page, "/crm/gadgets/add.json");
    await shoot(page, "api-reference");
    await page.getByRole("button", { name: /Add one Gadget/ }).click();
    await sees(page, "Idempotency-Key");
    await page.getByLabel("View as an API key").fill(limited);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await sees(page, "This key is not valid");
    // With a key alone.
    await app.leave();
    const stranger = await app.visit({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });
    await stranger.goto("/docs?type=crm/leads");
    await sees(stranger, "Sign in or enter an API key");
    await stranger.getByLabel("View as an API key").fill(shop);
    await stranger.getByRole("button", { name: "Show", exact: true }).click();
    await sees(stranger, "/crm/leads/index.json");
    await shoot(stranger, "api-reference-phone");
  });

  test("turns two-step login on, comes in by a recovery code, and turns it off again", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/account");
    await page
      .getByRole("region", { name: "Two-factor authentication" })
      .getByRole("button", { name: "Turn on" })
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Password", { exact: true }).fill("a guess");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByText("Incorrect password").waitFor();
    await dialog.getByLabel("Password", { exact: true }).fill(app.service.admin.password);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByRole("img", { name: "QR code" }).waitFor();
    const key = await dialog.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText();
    await expectAccessible(page);
    await shoot(page, "mfa-key");
    await dialog.getByLabel("Code", { exact: true }).fill(totpCode(key.replaceAll(" ", ""), stepAt(Date.now())));
    await dialog.getByRole("button", { name: "Turn on" }).click();
    const codes = dialog.getByRole("list", { name: "Your recovery codes" }).getByRole("listitem");
    await codes.first().waitFor();
    const [first = "", second = "", ...rest] = await codes.allInnerTexts();
    expect(rest).toHaveLength(8);
    await expectAccessible(page);
    await shoot(page, "mfa-codes");
    await page.keyboard.press("Escape");
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });

    await app.leave();
    const other = await app.visit({ viewport: { width: 380, height: 760 }, colorScheme: "dark" });
    await other.goto("/account");
    await fillLogin(other, app.service.admin.userName, app.service.admin.password);
    await other.getByLabel("Code").fill("000000");
    await other.getByRole("button", { name: "Sign in" }).click();
    await sees(other, "Incorrect or already used code");
    await expectAccessible(other);
    await shoot(other, "login-code");
    await other.getByLabel("Code").fill(first.toLowerCase());
    await other.getByRole("button", { name: "Sign in" }).click();
    const part = other.getByRole("region", { name: "Two-factor authentication" });
    await part.getByText("9", { exact: true }).waitFor();
    await part.getByRole("button", { name: "Turn off" }).click();
    const asked = other.getByRole("dialog");
    await asked.getByLabel("Password", { exact: true }).fill(app.service.admin.password);
    await asked.getByLabel("Code").fill(second);
    await asked.getByRole("button", { name: "Turn off" }).click();
    await sees(other, "Off: only your password is required.");
  });

  test("shows who one is, and refusals of a new password at their fields; then changes it", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/no/such/place");
    await sees(page, "Page not found");
    await page.getByRole("button", { name: /user menu$/ }).click();
    await page.getByRole("menuitem", { name: "Account" }).click();
    await heading(page, "Account").waitFor();
    await page.reload();
    const profile = page.getByRole("region", { name: "Profile" });
    await profile.getByText(app.service.admin.userName, { exact: true }).waitFor();
    await profile.getByText(await app.organization()).waitFor();
    const { userName, password } = app.service.admin;
    const change = async (old: string, next: string, again = next) => {
      await page.getByLabel("Current password").fill(old);
      await page.getByLabel("New password", { exact: true }).fill(next);
      await page.getByLabel("Confirm new password").fill(again);
      await page.getByRole("button", { name: "Change password" }).click();
    };
    const met = () => page.getByRole("listitem").filter({ hasText: ": met" }).count();
    await change(password, "too short");
    await expect.poll(met).toBe(2);
    await change(password, "a longer new one", "a longer new two");
    await page.getByLabel("Confirm new password").and(page.locator("[aria-invalid=true]")).waitFor();
    await change("not my password", "a longer new one");
    await sees(page, "Incorrect password");
    await change(password, "a longer new one");
    await sees(page, "Password changed");
    await expect.poll(() => page.getByLabel("Current password").inputValue()).toBe("");
    expect(await app.service.login(userName, "a longer new one")).toBeTruthy();
    await change("a longer new one", password);
    await expect.poll(() => app.service.login(userName, password).catch(() => undefined)).toBeTruthy();
  });
});
