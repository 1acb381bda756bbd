// People in the browser: signing up with the license read, joining by invitation, a forgotten password, a license
// required anew, and administration. On a desktop and on a phone; accessible.test.ts looks at the pages as they first stand.
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { addPerson } from "../http/people.ts";
import { writtenMails } from "../mail/mail-server.ts";
import {
  type App,
  enter,
  enterQuickly,
  expectAccessible,
  fillLogin,
  follow,
  heading,
  hearNothing,
  openApp,
  sees,
  shoot,
} from "./app.ts";
import { inBrowser } from "./browser.ts";

const PASSWORD = "a long enough secret";
const NEXT = "another long secret";
const phone = { viewport: { width: 380, height: 800 } };

inBrowser("people", () => {
  let app: App;
  let logo: Buffer;
  beforeAll(async () => {
    app = await openApp();
    await addPerson(app.service, "grace", ["sales_manager"]);
    logo = await sharp({ create: { width: 320, height: 200, channels: 3, background: "#3b6ea5" } })
      .png()
      .toBuffer();
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  const look = async (page: Page, name: string) => {
    await expectAccessible(page);
    await shoot(page, `people-${name}-${page.viewportSize()?.width}`);
  };
  /** Where the link of the newest message to an address leads, on this very service. */
  const linkTo = async (address: string): Promise<string> => {
    const find = () =>
      writtenMails(app.service.dataDir)
        .filter(({ to }) => to[0]?.includes(address))
        .at(-1);
    await expect.poll(find).toBeTruthy();
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
    const agree = page.getByLabel("I accept the terms of use");
    expect(await agree.isDisabled()).toBe(true);
    await page.getByLabel("User name").fill(app.service.admin.userName);
    await page.getByLabel("Password", { exact: false }).first().fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await sees(page, "User name is taken");
    await sees(page, "Password must have at least 10 characters");
    await sees(page, "Last name is required");
    await sees(page, "Currency is required");
    await sees(page, "Accept the terms of use");
    await page.getByRole("button", { name: "Read the terms of use" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "1. The service" }).waitFor();
    await dialog.getByRole("button", { name: "Accept" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => agree.isChecked()).toBe(true);
    await page.getByLabel("First name").fill("Ada");
    await page.getByLabel("Last name").fill("Lovelace");
    await page.getByLabel("Email").fill("ada@x.example");
    await page.getByLabel("User name").fill("ada.lovelace");
    await page
      .getByLabel(/^Password/)
      .first()
      .fill(PASSWORD);
    await page.getByLabel("Confirm password").fill(PASSWORD);
    await page.getByLabel("Organization").fill("Analytical Engines");
    await choose(page, "Currency", "EUR");
    // Who founds an organization is its administrator, and is not asked what else.
    expect(await page.getByLabel("Role").count()).toBe(0);
    await page.getByRole("button", { name: "Create account" }).click();
    await heading(page, /^Good (morning|afternoon|evening), /).waitFor();
    // Nothing is kept yet: the start page says what to do first.
    const steps = page.getByRole("region", { name: "Get started" });
    await steps.getByRole("link", { name: "Companies", exact: true }).waitFor();
    expect(await steps.getByRole("link").first().getAttribute("href")).toBe("/crm/companies/import");
    expect(await steps.getByRole("link", { name: "Invite someone" }).getAttribute("href")).toContain("invitations");
    await page.getByRole("button", { name: /user menu$/ }).click();
    await page.getByRole("menu").getByText("Analytical Engines").waitFor();
    const first = await linkTo("ada@x.example");
    await page.goto("/administration?part=invitations");
    await page.getByRole("button", { name: "Send confirmation link" }).click();
    await sees(page, "Confirmation link sent to ada@x.example");
    await expect.poll(() => linkTo("ada@x.example")).not.toBe(first);
    const confirm = await linkTo("ada@x.example");
    await page.goto(confirm);
    await page.getByRole("button", { name: "Confirm address" }).click();
    await heading(page, "Email address confirmed").waitFor();
  });

  test("a forgotten password is replaced through the link in the message", async () => {
    const page = await app.visit();
    await page.goto("/login");
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await heading(page, "Forgot your password?").waitFor();
    await page.getByRole("button", { name: "Send link" }).click();
    await sees(page, "Enter your user name or email");
    await page.getByLabel("User name or email").fill("Ada@x.example");
    await page.getByRole("button", { name: "Send link" }).click();
    await sees(page, "Check your email");
    const link = () => linkTo("ada@x.example");
    await expect.poll(link).toContain("reset_forgotten_password");
    await page.goto(await link());
    await page.getByLabel("New password", { exact: true }).fill("short");
    await page.getByLabel("Confirm new password").fill("shorter");
    await page.getByRole("button", { name: "Set password" }).click();
    await sees(page, "New password must have at least 10 characters");
    await look(page, "reset");
    await page.getByLabel("New password", { exact: true }).fill(NEXT);
    await page.getByLabel("Confirm new password").fill(NEXT);
    await page.getByRole("button", { name: "Set password" }).click();
    await heading(page, "Password set").waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await fillLogin(page, "ada@x.example", NEXT);
    await heading(page, /^Good/).waitFor();
  });

  test("an administrator invites somebody, who joins; then deactivates them and hands over", async () => {
    const page = await app.visit();
    await enter(app, page, "/administration?part=invitations");
    await sees(page, "No invitations yet");
    await page.getByRole("button", { name: "Invite someone" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Email").fill("ivy@x.example");
    await choose(page, "Role", "Support");
    await dialog.getByRole("button", { name: "Send invitation" }).click();
    // The mailed link is followed here, not the one to copy.
    await page.getByRole("dialog", { name: "Invitation link" }).getByRole("button", { name: "Done" }).click();
    await page
      .getByRole("row", { name: /^ivy@x.example/ })
      .getByText("Pending")
      .waitFor();

    const guest = await app.visit(phone);
    // Else it may hear that its session is over before it is loaded again.
    await hearNothing(guest);
    await guest.goto(await linkTo("ivy@x.example"));
    await heading(guest, `Join ${await app.organization()}`).waitFor();
    await expect.poll(() => guest.getByLabel("Email").inputValue()).toBe("ivy@x.example");
    await guest.getByLabel("Last name").fill("Invited");
    await guest.getByLabel("User name").fill("ivy");
    await guest
      .getByLabel(/^Password/)
      .first()
      .fill(PASSWORD);
    await guest.getByLabel("Confirm password").fill(PASSWORD);
    await guest.getByRole("button", { name: "Read the terms of use" }).click();
    await guest.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
    await guest.getByRole("button", { name: "Create account" }).click();
    await heading(guest, /^Good/).waitFor();
    await follow(guest, "/administration");
    await sees(guest, "Only administrators of your organization have access.");

    await page.getByRole("main").getByRole("link", { name: "Users" }).click();
    await page.getByRole("row", { name: /Invited.*Support/ }).waitFor();
    await page.getByRole("button", { name: "Deactivate Invited" }).click();
    await choose(page, "Transfer records to", /Administrator/);
    await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
    await page.getByRole("row", { name: /ivy/ }).getByText("Deactivated").waitFor();
    await guest.reload();
    await sees(guest, "Your session expired");
  });

  test("roles, organization, license, sessions and the audit log are administrators' own pages", {
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
    await look(page, "roles");
    // What is not saved yet outlasts a look at another role.
    await choose(page, "Role", "Marketing");
    await sees(page, "No changes");
    await choose(page, "Role", "Support");
    await sees(page, "1 row changed");
    expect(await cell.isChecked()).toBe(true);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await sees(page, "Role Support updated");
    await page.reload();
    await choose(page, "Role", "Support");
    await page.getByRole("checkbox", { name: "Leads: Export", checked: true }).waitFor();

    await follow(page, "/administration?part=organization");
    await page.getByLabel("Allowed email domains").fill("nonsense");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await sees(page, "nonsense is not a valid email domain");
    // Somebody else changed the settings meanwhile: what was typed stays, and what they changed is there.
    const admin = await app.service.login();
    const { body: own } = await app.service.get("/access_controls/organizations/info.json", admin);
    const { id } = own.data.organizations;
    const organizations = { id, time_zone: "Africa/Abidjan" };
    const sent = { data: { organizations, action: { save_progress: "Save" } } };
    const changed = await app.service.post("/access_controls/organizations/edit.json", sent, admin);
    expect(changed.body.errors).toEqual([]);
    await page.getByLabel("Allowed email domains").fill("kept.example");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const zone = page.getByLabel("Time zone").and(page.locator("input")).first();
    await expect.poll(() => zone.inputValue()).toBe("Africa/Abidjan");
    expect(await page.getByLabel("Allowed email domains").inputValue()).toBe("kept.example");
    await page.getByLabel("Allowed email domains").fill("acme.example");
    await page.getByRole("textbox", { name: "Name" }).fill("Renamed organization");
    await page
      .getByLabel("Logo", { exact: true })
      .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: logo });
    await sees(page, "Not saved");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await sees(page, "Settings updated");
    await expect.poll(() => page.getByLabel("Join link").inputValue()).toContain("signup?organization_id=1");
    await page.getByRole("button", { name: "Preview logo.png" }).locator("img").waitFor();
    await page.getByRole("banner").locator("img[alt]:not([alt=''])").waitFor();
    await page.getByRole("button", { name: "Remove logo.png" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Remove logo.png" }).waitFor({ state: "detached" });

    const outside = page.getByRole("switch", { name: "Analytical Engines can email people outside" });
    await outside.click();
    await sees(page, "Outgoing email updated");
    await expect.poll(() => outside.isChecked()).toBe(true);

    await follow(page, "/administration?part=sessions");
    await page.getByText("This session").waitFor();

    await follow(page, "/administration?part=audit");
    await choose(page, "Event", "Permission changed");
    const entry = page.getByRole("row", { name: /^Permission changed/ }).first();
    await sees(page, "1 entry");
    await entry.getByRole("button", { name: /^Details of Permission changed/ }).click();
    await page.getByText("Operations", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await look(page, "audit-detail");
    await page.getByRole("textbox", { name: "Search" }).fill("nobody like that");
    await sees(page, "No results");

    await follow(page, "/administration?part=groups");
    for (const name of ["Everywhere", "North"]) {
      await page.getByRole("button", { name: "New group" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill(name);
      await page.getByRole("dialog").getByRole("button", { name: "New group" }).click();
      await page.getByRole("row", { name: new RegExp(`^${name}`) }).waitFor();
    }
    const fill = async (group: string, member: string | RegExp) => {
      await page.getByRole("button", { name: `Members of ${group}` }).click();
      await choose(page, "Add member", member);
      await page.getByRole("region", { name: "What this changes" }).waitFor();
      await page.getByRole("dialog").getByRole("button", { name: /^Add / }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /^Remove .*$/ })
        .waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await fill("North", /Administrator/);
    await fill("Everywhere", "North");
    // Whoever is in the inner group is in the outer one, and the outer one cannot be put into the inner.
    await page.getByRole("row", { name: /^Everywhere North 1/ }).waitFor();
    await page.getByRole("button", { name: "Members of North" }).click();
    await page.getByLabel("Add member").and(page.locator("input")).first().click();
    expect(await page.getByRole("option", { name: "Everywhere" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Remove .*Administrator$/ }).click();
    await page.getByRole("button", { name: /^Remove .*from the group$/ }).click();
    await sees(page, "No members yet.");

    await follow(page, "/administration?part=license");
    await page.getByRole("button", { name: "New version" }).click();
    await page.getByLabel("Text").fill("<h1>New terms</h1><p>Be kind.</p><script>alert(1)</script>");
    await page.getByLabel("Require acceptance again").check();
    await page.getByRole("button", { name: "Publish" }).click();
    await sees(page, /must not contain <script>/);
    await page.getByLabel("Text").fill("<h1>New terms</h1><p>Be kind.</p>");
    await page.getByRole("button", { name: "Publish" }).click();
    await sees(page, "New version published");
    await page.getByRole("row", { name: /^2/ }).waitFor();
  });

  test("a new license agreement is asked for while one works, and nothing typed is lost", async () => {
    const page = await app.visitApart();
    await page.clock.install();
    await page.goto("/crm/leads/add");
    await fillLogin(page, "grace", app.service.admin.password);
    // After signing in, it cannot be put off.
    await page.getByRole("dialog").getByRole("heading", { name: "New terms" }).last().waitFor();
    await look(page, "license-anew");
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").isVisible()).toBe(true);
    await page.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByLabel(/^Last name/).fill("Half typed");
    const license = { title: "Newer terms", text: "<h1>Newer terms</h1><p>Be kinder.</p>", is_required_again: "1" };
    const data = { license_agreements: license, action: { save_progress: "Save" } };
    await app.service.post("/access_controls/license_agreements/add.json", { data }, await app.service.login());
    await page.clock.fastForward("01:10");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Newer terms" }).last().waitFor();
    await dialog.getByRole("button", { name: "Accept" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByLabel(/^Last name/).inputValue()).toBe("Half typed");
    // Only once.
    await page.reload();
    await sees(page, "Draft restored");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("one's own profile is kept, and a session elsewhere is ended", async () => {
    const other = await app.visitApart();
    await enterQuickly(app, other, "/no/such/place", "grace");
    await sees(other, "Page not found");
    const page = await app.visit(phone);
    await enterQuickly(app, page, "/account", "grace");
    await page.getByLabel("First name").fill("Addy");
    await choose(page, "Theme", "Dark");
    await page.getByRole("button", { name: "Save profile" }).click();
    await sees(page, "Profile updated");
    await expect.poll(() => page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("dark");
    await page.reload();
    await expect.poll(() => page.getByLabel("First name").inputValue()).toBe("Addy");
    await page.getByRole("region", { name: "Active sessions" }).getByText("This session").waitFor();
    const ends = page.getByRole("button", { name: /^Sign out the session of/ });
    for (let left = await ends.count(); left > 0; left -= 1) {
      await ends.first().click();
      await expect.poll(() => ends.count()).toBe(left - 1);
    }
    await other.reload();
    await sees(other, "Your session expired");
  });
});
