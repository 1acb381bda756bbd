// People in the browser: signing up with the licence read, joining by invitation, a forgotten password, a licence
// required anew, and administration. On a desktop and on a phone, with axe on every page.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { writtenMails } from "../mail/mail-server.ts";
import { type App, enter, enterQuickly, expectAccessible, fillLogin, heading, openApp, sees, shoot } from "./app.ts";
import { inBrowser } from "./browser.ts";

const PASSWORD = "a long enough secret";
const NEXT = "another long secret";
const phone = { viewport: { width: 380, height: 800 } };

inBrowser("people", () => {
  let app: App;
  beforeAll(async () => {
    app = await openApp();
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  const look = async (page: Page, name: string, contrast = true) => {
    await expectAccessible(page, contrast);
    await shoot(page, `people-${name}-${page.viewportSize()?.width}`);
  };
  /** Where the link of the newest message to an address leads, on this very service. */
  const linkTo = async (address: string): Promise<string> => {
    const find = () =>
      writtenMails(app.service.dataDir)
        .filter(({ to }) => to[0]?.includes(address))
        .at(-1);
    await expect.poll(find, { timeout: 20_000 }).toBeTruthy();
    const link = /https?:\/\/\S+token=\S+|https?:\/\/\S+invitation=\S+/.exec(find()?.text ?? "")?.[0] ?? "";
    return new URL(link).pathname + new URL(link).search;
  };
  const choose = async (page: Page, label: string, option: string | RegExp) => {
    await page.getByLabel(label).and(page.locator("input")).first().click();
    await page.getByRole("option", { name: option }).first().click();
  };

  test("sign up on a phone: the agreement is read first, faults stand at their fields, and one is in", async () => {
    const page = await app.visit({ ...phone, colorScheme: "dark" });
    await page.goto("/login");
    await page.getByRole("link", { name: "Create an account" }).click();
    await heading(page, "Create an account").waitFor();
    await look(page, "signup");
    const agree = page.getByLabel("I accept the licence agreement");
    expect(await agree.isDisabled()).toBe(true);
    await page.getByLabel("User name").fill(app.service.admin.userName);
    await page.getByLabel("Password", { exact: false }).first().fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await sees(page, "User name is taken");
    await sees(page, "Password must have at least 10 characters");
    await sees(page, "Last name must not be empty");
    await sees(page, "Currency must not be empty");
    await sees(page, "The licence agreement must be accepted");
    await look(page, "signup-refused");
    await page.getByRole("button", { name: "Read the licence agreement" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "1. The service" }).waitFor();
    await look(page, "license", false);
    await dialog.getByRole("button", { name: "Accept" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await agree.isChecked()).toBe(true);
    await page.getByLabel("First name").fill("Ada");
    await page.getByLabel("Last name").fill("Lovelace");
    await page.getByLabel("E-mail").fill("ada@x.example");
    await page.getByLabel("User name").fill("ada.lovelace");
    await page
      .getByLabel(/^Password/)
      .first()
      .fill(PASSWORD);
    await page.getByLabel("Password again").fill(PASSWORD);
    await page.getByLabel("Organisation").fill("Analytical Engines");
    await choose(page, "Currency", "EUR");
    await choose(page, "Role", "Sales representative");
    await page.getByRole("button", { name: "Create account" }).click();
    await heading(page, /^Good (morning|afternoon|evening), /).waitFor();
    await page
      .getByText(/Analytical Engines/)
      .locator("visible=true")
      .first()
      .waitFor();
    const confirm = await linkTo("ada@x.example");
    await page.goto(confirm);
    await page.getByRole("button", { name: "Confirm the address" }).click();
    await heading(page, "Your address is confirmed").waitFor();
  });

  test("a forgotten password is replaced through the link in the message", async () => {
    const page = await app.visit();
    await page.goto("/login");
    await page.getByRole("link", { name: "Forgotten your password?" }).click();
    await heading(page, "Forgotten your password?").waitFor();
    await look(page, "forgotten");
    await page.getByLabel("User name").fill("ada.lovelace");
    await page.getByRole("button", { name: "Send the link" }).click();
    await sees(page, "Look into your mail");
    const link = () => linkTo("ada@x.example");
    await expect.poll(link, { timeout: 20_000 }).toContain("reset_forgotten_password");
    await page.goto(await link());
    await page.getByLabel("New password", { exact: true }).fill("short");
    await page.getByLabel("New password again").fill("shorter");
    await page.getByRole("button", { name: "Set password" }).click();
    await sees(page, "New password must have at least 10 characters");
    await look(page, "reset");
    await page.getByLabel("New password", { exact: true }).fill(NEXT);
    await page.getByLabel("New password again").fill(NEXT);
    await page.getByRole("button", { name: "Set password" }).click();
    await heading(page, "Your password is set").waitFor();
    await page.getByRole("link", { name: "Log in" }).click();
    await fillLogin(page, "ada.lovelace", NEXT);
    await heading(page, /^Good/).waitFor();
  });

  test("an administrator invites somebody, who joins; then deactivates them and hands over", async () => {
    const page = await app.visit();
    await enter(app, page, "/administration?part=invitations");
    await sees(page, "No invitations yet");
    await page.getByRole("button", { name: "Invite somebody" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("E-mail").fill("ivy@x.example");
    await choose(page, "Role", "Support");
    await dialog.getByRole("button", { name: "Send invitation" }).click();
    await page
      .getByRole("row", { name: /^ivy@x.example/ })
      .getByText("Open")
      .waitFor();
    await look(page, "invitations");

    const guest = await app.visit(phone);
    await guest.goto(await linkTo("ivy@x.example"));
    await heading(guest, `Join ${await app.organization()}`).waitFor();
    expect(await guest.getByLabel("E-mail").inputValue()).toBe("ivy@x.example");
    await guest.getByLabel("Last name").fill("Invited");
    await guest.getByLabel("User name").fill("ivy");
    await guest
      .getByLabel(/^Password/)
      .first()
      .fill(PASSWORD);
    await guest.getByLabel("Password again").fill(PASSWORD);
    await guest.getByRole("button", { name: "Read the licence agreement" }).click();
    await guest.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
    await guest.getByRole("button", { name: "Create account" }).click();
    await heading(guest, /^Good/).waitFor();
    await guest.goto("/administration");
    await sees(guest, "This is for administrators of your organisation.");

    await page.getByRole("tab", { name: "Users" }).click();
    await page.getByRole("button", { name: "Deactivate Invited" }).click();
    await choose(page, "Hand records over to", /Administrator/);
    await look(page, "deactivate", false);
    await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
    await page.getByRole("row", { name: /ivy/ }).getByText("Deactivated").waitFor();
    await look(page, "users");
    await guest.reload();
    await sees(guest, "Your session has ended");
  });

  test("roles, organisation, licence, sessions and the audit log are administrators' own pages", {
    timeout: 240_000,
  }, async () => {
    const page = await app.visit({ colorScheme: "dark" });
    await enterQuickly(app, page, "/administration?part=roles");
    await choose(page, "Role", "Support");
    const cell = page.getByRole("checkbox", { name: "Leads: Export" });
    await cell.waitFor();
    expect(await cell.isChecked()).toBe(false);
    await cell.click();
    await sees(page, "1 row changed");
    await look(page, "roles", false);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await sees(page, "The role Support is saved");
    await page.reload();
    await choose(page, "Role", "Support");
    await page.getByRole("checkbox", { name: "Leads: Export", checked: true }).waitFor();

    await page.goto("/administration?part=organization");
    await page.getByLabel("Mail domains that may join").fill("nonsense");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await sees(page, "nonsense is not a mail domain");
    await page.getByLabel("Mail domains that may join").fill("acme.example");
    await page.getByRole("textbox", { name: "Name" }).fill("Renamed organisation");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await sees(page, "The settings are saved");
    expect(await page.getByLabel("Link to join").inputValue()).toContain("signup?organization_id=1");
    await look(page, "organization");

    await page.goto("/administration?part=sessions");
    await page.getByText("This one").waitFor();
    await look(page, "sessions", false);

    await page.goto("/access_controls/audit_events/index");
    await sees(page, /Permission changed|permission_changed/);
    await shoot(page, "people-audit");

    await page.goto("/administration?part=license");
    await page.getByRole("button", { name: "Write a new version" }).click();
    await page.getByLabel("Text").fill("<h1>New terms</h1><p>Be kind.</p><script>alert(1)</script>");
    await page.getByLabel("To be accepted anew").check();
    await page.getByRole("button", { name: "Publish" }).click();
    await sees(page, /must not hold <script>/);
    await page.getByLabel("Text").fill("<h1>New terms</h1><p>Be kind.</p>");
    await look(page, "license-editor", false);
    await page.getByRole("button", { name: "Publish" }).click();
    await sees(page, "The new version is in force");
    await page.getByRole("row", { name: /^2/ }).waitFor();
  });

  test("a new licence agreement is asked for after the next login, and only once", async () => {
    const page = await app.visit(phone);
    await page.goto("/login");
    await fillLogin(page, app.service.admin.userName, app.service.admin.password);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "New terms" }).last().waitFor();
    await look(page, "license-anew", false);
    await page.keyboard.press("Escape");
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByRole("button", { name: "Accept" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.reload();
    await heading(page, /^Good/).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("one's own profile is kept, and a session elsewhere is ended", async () => {
    const other = await app.visit();
    await enterQuickly(app, other, "/");
    await heading(other, /^Good/).waitFor();
    const page = await app.visit(phone);
    await enterQuickly(app, page, "/account");
    await page.getByLabel("First name").fill("Addy");
    await choose(page, "Time zone", "Europe/Berlin");
    await choose(page, "Hours", /^12/);
    await choose(page, "Theme", "Dark");
    await page.getByRole("button", { name: "Save profile" }).click();
    await sees(page, "Your profile is saved");
    expect(await page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("dark");
    await page.reload();
    expect(await page.getByLabel("First name").inputValue()).toBe("Addy");
    expect(await page.getByLabel("Time zone").and(page.locator("input")).inputValue()).toBe("Europe/Berlin");
    await page.getByRole("region", { name: "Where you are logged in" }).getByText("This one").waitFor();
    await look(page, "account");
    const ends = page.getByRole("button", { name: /^End the session of/ });
    for (let left = await ends.count(); left > 0; left -= 1) {
      await ends.first().click();
      await expect.poll(() => ends.count()).toBe(left - 1);
    }
    await other.reload();
    await sees(other, "Your session has ended");
  });
});
