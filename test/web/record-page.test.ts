// A record's page at work: forms with tabs, grids and conditions, fields edited where they stand, pickers, related records,
// history, and who may see it.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { addPerson, addRows } from "../http/people.ts";
import {
  type App,
  enterQuickly,
  expectAccessible,
  follow,
  heading,
  hearNothing,
  openApp,
  phoneFaults,
  sees,
  shoot,
} from "./app.ts";
import { inBrowser } from "./browser.ts";
import { addLeads, field, save, showEmpty } from "./leads.ts";

const focusedName = (page: Page) =>
  page.evaluate(() => {
    const active = document.activeElement;
    return (
      active?.getAttribute("aria-label") ?? (active instanceof HTMLInputElement ? active.labels?.[0]?.textContent : "")
    );
  });

const form = {
  tabs: [
    {
      tab: "Lead",
      sections: [
        {
          section: "Who",
          help: "Who they are, and how far we are with them",
          columns: 2,
          elements: [
            { field: "first_name", help: "As on the card" },
            { field: "last_name" },
            { field: "company_name" },
            { field: "status" },
            { field: "lost_reason", if_condition: 'status = "unqualified"', required_if: 'status = "unqualified"' },
            { field: "score" },
            { field: "rating" },
            { field: "amount" },
            { field: "city" },
            { field: "job_title" },
            { field: "referred_by_id" },
            { field: "country_id" },
            { field: "do_not_call" },
            { field: "owned_by" },
          ],
        },
      ],
    },
    {
      tab: "Reach",
      sections: [
        {
          section: "Addresses",
          elements: [{ grid: "addresses", columns: ["type", "address_line_1", "city", "zip", "is_primary"] }],
        },
        { section: "Online", elements: [{ field: "email" }, { field: "website" }] },
      ],
    },
  ],
};

inBrowser("a record's page at work", () => {
  let app: App;
  let admin: string;
  let ids: string[];
  const post = async (address: string, values: object, token = admin) => {
    const alias = address.split("/")[2] ?? "";
    const { status, body } = await app.service.post(
      `${address}.json`,
      { data: { [alias]: values, action: { save_progress: "Save" } } },
      token,
    );
    expect([status, body.errors]).toEqual([200, []]);
    return body;
  };
  const stored = async (id: string | undefined) =>
    (await app.service.get(`/crm/leads/view.json?id=${id}`, admin)).body.data.leads;

  beforeAll(async () => {
    app = await openApp();
    admin = await app.service.login();
    ids = await addLeads(app.service);
    await post("/core/forms/add", {
      name: "Leads",
      controller: "crm/leads",
      is_default: "1",
      definition: JSON.stringify(form),
    });
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("edits rows of a grid by keyboard, with errors at their cells and marks on the tab, all in one save", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, `/crm/leads/edit?id=${ids[0]}`);
    await page.getByRole("tab", { name: "Reach" }).click();
    await page.getByRole("button", { name: "Add Address" }).click();
    const cell = (name: string, row: number) => field(page, `${name}, row ${row}`);
    await cell("City", 1).fill("Umeå");
    await page.keyboard.press("Enter");
    await cell("City", 2).waitFor();
    await expect.poll(() => focusedName(page)).toBe("City, row 2");
    await cell("Address line 1", 2).fill("Storgatan 2");
    await field(page, "Email").fill("nobody");
    await page.keyboard.press("Tab");
    await sees(page, "Email must be a valid email address");
    await page.getByRole("tab", { name: "Lead" }).click();
    await field(page, "Last name").fill("");
    await page.getByRole("tab", { name: "Reach" }).click();
    await page.keyboard.press("Control+Enter");
    await sees(page, "3 fields need your attention");
    await expect.poll(() => focusedName(page)).toMatch(/^Last name/);
    await page.getByRole("tab", { name: /Reach.*2 fields/ }).waitFor();
    await page.getByRole("tab", { name: "Reach" }).click();
    await expectAccessible(page);
    await page.setViewportSize({ width: 380, height: 800 });
    expect(await phoneFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("button", { name: /Addresses · 1 · Address line 1/ }).click();
    await expect.poll(() => focusedName(page)).toBe("Address line 1, row 1");
    await shoot(page, "grid-refused-1280");
    await page.keyboard.type("Storgatan 1");
    // Mended fields leave the summary as they are mended.
    await sees(page, "2 fields need your attention");
    await field(page, "Email").fill("ash@timber.example");
    await page.getByRole("tab", { name: "Lead" }).click();
    await field(page, "Last name").fill("Ashwood");
    await page.getByRole("button", { name: "Save and continue" }).click();
    await sees(page, / saved$/);
    expect((await stored(ids[0])).addresses).toMatchObject([
      { address_line_1: "Storgatan 1", city: "Umeå" },
      { address_line_1: "Storgatan 2" },
    ]);
    await page.getByRole("tab", { name: "Reach" }).click();
    await page.getByRole("button", { name: "Remove Address 1" }).click();
    await page.getByRole("button", { name: "Restore Address 1" }).click();
    await page.getByRole("button", { name: "Remove Address 2" }).click();
    await cell("City", 1).fill("Luleå");
    await save(page);
    await heading(page, /^Tove Ashwood$/).waitFor();
    expect((await stored(ids[0])).addresses).toMatchObject([{ address_line_1: "Storgatan 1", city: "Luleå" }]);
  });

  test("shows and requires a field as soon as its condition holds, and folds sections", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, `/crm/leads/edit?id=${ids[1]}`);
    await sees(page, "Who they are, and how far we are with them");
    await sees(page, "As on the card");
    expect(await page.getByRole("combobox", { name: "Disqualification reason" }).count()).toBe(0);
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Unqualified" }).click();
    expect(
      await page.getByRole("combobox", { name: "Disqualification reason" }).getAttribute("required"),
    ).not.toBeNull();
    await field(page, "Score").fill("many");
    await page.keyboard.press("Tab");
    await sees(page, "Score must be a whole number");
    await field(page, "Score").fill("41");
    await page.getByText("Score must be a whole number").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Who", exact: true }).click();
    expect(await field(page, "Score").count()).toBe(0);
    await save(page);
    // A refused field opens the section that it is in.
    await sees(page, "Disqualification reason is required");
    await field(page, "Score").waitFor();
  });

  test("changes a field where it stands, takes it back, and asks where somebody else changed it", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, `/crm/leads/view?id=${ids[2]}`);
    await page.getByRole("button", { name: "Edit Company" }).waitFor();
    expect(await page.getByRole("button", { name: "Edit City" }).count()).toBe(0);
    await showEmpty(page);
    await page.getByRole("button", { name: "Edit City" }).press("Enter");
    await field(page, "City").fill("Kiruna");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Edit City" }).waitFor();
    expect((await stored(ids[2])).city).toBeNull();
    await page.getByText("Lindqvist Timber").click();
    await field(page, "Company").fill("Lindqvist & Daughters");
    await page.keyboard.press("Enter");
    await sees(page, "Company updated");
    expect(await stored(ids[2])).toMatchObject({ company_name: "Lindqvist & Daughters" });
    await page.getByRole("button", { name: "Undo" }).click();
    await sees(page, "Undone: Company updated");
    expect(await stored(ids[2])).toMatchObject({ company_name: "Lindqvist Timber" });
    await page.getByRole("button", { name: "Edit Score" }).click();
    await field(page, "Score").fill("500");
    await page.keyboard.press("Enter");
    await sees(page, "Score must be at most 100");
    // What cannot be saved is not lost by a click elsewhere.
    await page.getByRole("button", { name: "Edit City" }).click();
    expect(await field(page, "Score").inputValue()).toBe("500");
    await field(page, "Score").fill("50");
    await page.keyboard.press("Enter");
    await sees(page, "Score updated");
    await page.getByRole("button", { name: "Edit Rating" }).click();
    await page.getByRole("combobox", { name: "Rating" }).click();
    await page.getByRole("option", { name: "Warm", exact: true }).click();
    await sees(page, "Rating updated");
    expect(await stored(ids[2])).toMatchObject({ score: "50", rating: "warm" });
    // What was just filled in is not empty; what was cleared stays where it was until one leaves.
    await page.getByRole("button", { name: "Hide empty fields" }).click();
    await page.getByRole("button", { name: "Edit City" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Edit Rating" }).waitFor();
    await page.getByRole("button", { name: "Edit Score" }).click();
    await field(page, "Score").fill("");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await stored(ids[2])).score).toBeNull();
    await page.getByRole("button", { name: "Edit Score" }).waitFor();

    // Beside a change of another field it is saved; of the very field, one is asked which of three values stays.
    await showEmpty(page);
    await page.getByRole("button", { name: "Edit City" }).click();
    await field(page, "City").fill("Umeå");
    await post("/crm/leads/edit", { id: ids[2], job_title: "Sawyer" });
    await page.keyboard.press("Enter");
    await sees(page, "City updated");
    await page.getByRole("button", { name: "Edit City" }).click();
    await field(page, "City").fill("Kiruna");
    await post("/crm/leads/edit", { id: ids[2], city: "Luleå" });
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Luleå").waitFor();
    await shoot(page, "inline-conflict-1280");
    await dialog.getByRole("radio", { name: "Use previous value: City" }).check();
    await dialog.getByRole("button", { name: "Save selected values" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(async () => (await stored(ids[2])).city).toBe("Umeå");
    expect(await stored(ids[2])).toMatchObject({ job_title: "Sawyer" });
  });

  test("says at the field why what was chosen of a conflict is refused", async () => {
    const page = await app.visit();
    const id = ids[3];
    await enterQuickly(app, page, `/crm/leads/view?id=${id}`);
    await showEmpty(page);
    await page.getByRole("button", { name: "Edit City" }).click();
    await field(page, "City").fill("Kiruna");
    await post("/crm/leads/edit", { id, city: "Luleå" });
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Luleå").waitFor();
    const view = await app.service.get("/metadata/record_types/view.json?key=crm/leads", admin);
    const definition = JSON.parse(view.body.data.record_types.definition);
    const rule = { name: "closed", formula: 'city != "Kiruna"', message: "Kiruna is closed", field: "city" };
    const save = async (rules: readonly object[]) => {
      const sent = { definition: JSON.stringify({ ...definition, rules }) };
      expect((await app.service.post("/metadata/record_types/save.json", sent, admin)).body.errors).toEqual([]);
    };
    await save([...(definition.rules ?? []), rule]);
    await dialog.getByRole("button", { name: "Save selected values" }).click();
    await dialog.waitFor({ state: "detached" });
    await sees(page, "Kiruna is closed");
    expect(await field(page, "City").inputValue()).toBe("Kiruna");
    await save(definition.rules ?? []);
    await field(page, "City").fill("Boden");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await stored(id)).city).toBe("Boden");
  });

  test("keeps what was typed into a field over a reload, and goes on with it", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, `/crm/leads/view?id=${ids[4]}`);
    await showEmpty(page);
    await page.getByRole("button", { name: "Edit City" }).click();
    await field(page, "City").fill("Kiruna");
    await page.reload();
    await sees(page, "You have unsaved changes.");
    await page.getByRole("link", { name: "Keep editing" }).click();
    await heading(page, /^Edit/).waitFor();
    expect(await field(page, "City").inputValue()).toBe("Kiruna");
    await save(page);
    await expect.poll(async () => (await stored(ids[4])).city).toBe("Kiruna");
  });

  test("takes a session that ended up again on the spot, and the save goes on", async () => {
    const page = await app.visit();
    await hearNothing(page);
    await enterQuickly(app, page, `/crm/leads/edit?id=${ids[1]}`);
    await field(page, "City").fill("Gällivare");
    // Another device changes the password twice, which ends this session.
    const { password } = app.service.admin;
    for (const [old_password, user_password] of [
      [password, `${password} anew`],
      [`${password} anew`, password],
    ]) {
      const users = { old_password, user_password, confirm_password: user_password };
      const { body } = await app.service.post(
        "/access_controls/users/change_password.json",
        { data: { users } },
        admin,
      );
      expect(body.errors).toEqual([]);
    }
    await page.keyboard.press("Control+s");
    const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
    await dialog.getByLabel("Password", { exact: true }).fill("not the one");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.getByText("Couldn't sign in").waitFor();
    await expectAccessible(page);
    await shoot(page, "login-again-1280");
    expect(await field(page, "City").inputValue()).toBe("Gällivare");
    await dialog.getByLabel("Password", { exact: true }).fill(password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await sees(page, / saved$/);
    expect(await stored(ids[1])).toMatchObject({ city: "Gällivare" });
  });

  test("picks a record by typing, by what was used before, or makes a new one on the spot, and looks at it", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, `/crm/leads/edit?id=${ids[4]}`);
    // Enter takes the first that was found, and does not save the form without it.
    await field(page, "Country").click();
    await page.keyboard.type("portug");
    await page.getByRole("option", { name: "Portugal" }).and(page.locator("[data-combobox-selected]")).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => field(page, "Country").inputValue()).toBe("Portugal");
    await field(page, "Referred by").click();
    await page.keyboard.type("Signe Lund");
    await page.getByRole("option", { name: "Create Person “Signe Lund”" }).click();
    const dialog = page.getByRole("dialog", { name: "New person" });
    await dialog.getByRole("textbox", { name: "First name" }).fill("Signe");
    await dialog.getByRole("textbox", { name: "Last name" }).fill("");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("1 field needs your attention").waitFor();
    await dialog.getByRole("textbox", { name: "Last name" }).fill("Lund");
    await shoot(page, "quick-add-1280");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => field(page, "Referred by").inputValue()).toBe("Signe Lund");
    await page.getByRole("button", { name: "Preview Signe Lund" }).click();
    const peek = page.getByRole("complementary", { name: "Preview" });
    await peek.getByRole("heading", { name: "Signe Lund" }).waitFor();
    await page.keyboard.press("Escape");
    await peek.waitFor({ state: "detached" });
    await save(page);
    await page.getByRole("main").getByRole("link", { name: "Signe Lund" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Portugal" }).waitFor();
    expect((await stored(ids[4])).__referred_by_id).toBe("Signe Lund");
    await follow(page, `/crm/leads/edit?id=${ids[5]}`);
    await heading(page, /^Edit Tove Hazel/).waitFor();
    await field(page, "Referred by").click();
    await page.getByRole("listbox", { name: "Referred by" }).getByText("Recent").waitFor();
    await page.getByRole("option", { name: "Signe Lund" }).click();
    await expect.poll(() => field(page, "Referred by").inputValue()).toBe("Signe Lund");
  });

  test("shows what is related, counts it, adds to it with the reference filled in, and leads to all of it", async () => {
    const [company = ""] = await addRows(app.service, "crm/companies", [{ name: "Lindqvist Timber" }]);
    await addRows(
      app.service,
      "crm/peoples",
      Array.from({ length: 6 }, (_, index) => ({
        last_name: `Sawyer ${index}`,
        name: `Sawyer ${index}`,
        company_id: company,
      })),
    );
    const page = await app.visit({ viewport: { width: 1440, height: 900 } });
    await enterQuickly(app, page, `/crm/companies/view?id=${company}`);
    await page.getByRole("heading", { name: /^People · 6$/ }).waitFor();
    await page.getByRole("link", { name: "Sawyer 5" }).waitFor();
    await shoot(page, "related-1440");
    await page.getByRole("button", { name: "Add Person" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "New person" });
    await expect.poll(() => field(page, "Company").inputValue()).toBe("Lindqvist Timber");
    await dialog.getByRole("textbox", { name: "Last name" }).fill("Rowan");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: /^People · 7$/ }).waitFor();
    // Whoever added one goes on where they were.
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe("Add person");
    await page.getByRole("link", { name: "Show all: People" }).click();
    await heading(page, "People").waitFor();
    await page.getByRole("grid").getByText("Rowan").first().waitFor();
    expect(JSON.parse(new URL(page.url()).searchParams.get("q") ?? "{}").where).toEqual({
      "peoples.company_id": company,
    });
  });

  test("tells what became of it in one stream, in words, goes back, and undoes that", async () => {
    const page = await app.visit({ viewport: { width: 1440, height: 900 } });
    await post("/crm/leads/edit", { id: ids[5], rating: "warm", city: "Umeå" });
    await post("/crm/leads/edit", { id: ids[5], rating: "hot" });
    await enterQuickly(app, page, `/crm/leads/view?id=${ids[5]}`);
    // Followed by the menu, unfollowed by the keyboard.
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Follow" }).click();
    await sees(page, "Following. You'll be notified about comments, stage changes and edits");
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page
      .getByRole("menu")
      .getByText(/^Followed by /)
      .waitFor();
    await shoot(page, "followed");
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "hidden" });
    await page.keyboard.press("s");
    await sees(page, "You no longer follow this record");
    const side = page.getByRole("complementary", { name: "About this record" });
    // Two edits of one sitting are one entry, which opens.
    const today = side.getByRole("region", { name: "Today" });
    await today.getByRole("button", { name: "2 edits" }).waitFor();
    expect(await today.getByRole("listitem").first().textContent()).toMatch(/changed 2 fields.*→changed to Hot/);
    await side.getByRole("button", { name: "Files" }).click();
    await side.getByText("No files yet.").waitFor();
    await side.getByRole("button", { name: "Changes" }).click();
    await shoot(page, "timeline-1440");
    await today.getByRole("button", { name: "2 edits" }).click();
    await today.getByText(/changed Rating Warm →changed to Hot/).waitFor();
    await side
      .getByRole("button", { name: /^Restore the version from/ })
      .first()
      .click();
    await page.getByRole("dialog").getByText("The stage and child rows don't change").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await sees(page, "Version restored. The stage didn't change");
    await expect.poll(async () => (await stored(ids[5])).rating).toBe("warm");
    await side.getByText("restored an earlier version").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await stored(ids[5])).rating).toBe("hot");
  });

  test("tells who may see it and why, and is shared until a day", async () => {
    await addPerson(app.service, "rowan", ["sales_rep"]);
    const page = await app.visit({ viewport: { width: 1440, height: 900 } });
    await enterQuickly(app, page, `/crm/leads/view?id=${ids[3]}&panel=access`);
    const side = page.getByRole("complementary", { name: "About this record" });
    await side.getByText("administrator", { exact: true }).waitFor();
    await side.getByRole("button", { name: "Share" }).click();
    const dialog = page.getByRole("dialog", { name: "Share Tove Elm" });
    await dialog.getByRole("combobox", { name: "Share with" }).fill("row");
    await page.getByRole("option", { name: "rowan" }).click();
    await dialog.getByRole("checkbox", { name: "edit" }).check();
    const until = dialog.getByLabel("Expires");
    for (const noDay of ["soonish", "2026", "2099-02-30"]) {
      await until.fill(noDay);
      await until.press("Enter");
      await dialog.getByText(/^Enter a date like/).waitFor();
      expect(await until.inputValue()).toBe(noDay);
      await dialog.getByRole("button", { name: "Share" }).click();
      await expect.poll(() => until.evaluate((input) => input === document.activeElement)).toBe(true);
    }
    const shares = sql`select until from access_controls__shares where related_id = ${ids[3] ?? null}`;
    expect(await app.service.db.rows(shares)).toEqual([]);
    await until.fill("Jan 31, 2099");
    await dialog.getByRole("button", { name: "Share" }).click();
    await side.getByText(/^shared until Jan 31, 2099/).waitFor();
    await shoot(page, "access-panel-1440");
    await side.getByRole("button", { name: "Stop sharing with rowan" }).click();
    await side.getByText(/^shared until/).waitFor({ state: "detached" });
  });
});
