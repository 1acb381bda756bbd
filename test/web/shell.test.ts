// The frame: moving by keyboard, folding, the drawer on a phone, theme, language, and the states without an answer.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { addPerson, addRows } from "../http/people.ts";
import { type App, enterQuickly, expectAccessible, follow, heading, openApp, sees, shoot } from "./app.ts";
import { inBrowser } from "./browser.ts";

/** The frame, and next to nothing in it. */
const nowhere = "/no/such/place";

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");

inBrowser("the shell", () => {
  let app: App;
  beforeAll(async () => {
    app = await openApp();
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("is walked by keyboard alone: skip link, navigation, page", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, nowhere);
    await page.getByRole("link", { name: "Leads" }).first().waitFor();
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to content");
    for (let step = 0; step < 40 && (await focused(page)) !== "Leads"; step += 1) await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Leads");
    await page.keyboard.press("Enter");
    await heading(page, "Leads").waitFor();
    // The new page has the focus; the next stop is inside it.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content");
    const leads = page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name: "Leads" });
    await expect.poll(() => leads.getAttribute("aria-current")).toBe("page");
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "All leads" }).waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => focused(page)).toBe("All leads");
  });

  test("says where one is, and not that there is nothing while a page is on its way", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, nowhere);
    await sees(page, "Page not found");
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/assets/*.js", async (route) => {
      await released;
      await route.continue();
    });
    await page.evaluate(() => window.history.pushState(null, "", "/crm/leads/add"));
    await expect.poll(() => new URL(page.url()).pathname).toBe("/crm/leads/add");
    const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
    await crumbs.locator(".mantine-Skeleton-root").waitFor();
    expect(await crumbs.textContent()).toBe("");
    release();
    await heading(page, "New lead").waitFor();
    await expect.poll(() => crumbs.getByRole("listitem").allTextContents()).toEqual(["Sales", "Leads", "New"]);
    await page
      .getByRole("banner")
      .getByText(await app.organization())
      .waitFor();
  });

  test("is for the people who work: favorites, recent records, and administration in one place", async () => {
    await addPerson(app.service, "rep", ["sales_rep"]);
    await addRows(app.service, "crm/companies", [{ name: "Acme" }]);
    const page = await app.visit();
    await enterQuickly(app, page, "/crm/companies");
    const navigation = page.getByRole("navigation", { name: "Navigation" });
    // A view by one click, a record by another; both are there in another browser, in the order that they were given.
    await page.getByRole("button", { name: "Add All companies to favorites" }).click();
    const favorites = (of: Page) =>
      of.getByRole("region", { name: "Favorites" }).getByRole("listitem").getByRole("link").allTextContents();
    await expect.poll(() => favorites(page)).toEqual(["All companies"]);
    await page.getByRole("link", { name: "Acme" }).first().click();
    await page.getByRole("button", { name: "Add Acme to favorites" }).click();
    await expect.poll(() => favorites(page)).toEqual(["All companies", "Acme"]);
    await navigation.getByRole("button", { name: "Options for Acme" }).click();
    await page.getByRole("menuitem", { name: "Move up" }).click();
    await expect.poll(() => favorites(page)).toEqual(["Acme", "All companies"]);
    await shoot(page, "sidebar-1280");
    // Users and Locales are no daily work: found in administration.
    expect(await navigation.getByRole("link", { name: "Locales" }).count()).toBe(0);
    await navigation.getByRole("link", { name: "Administration" }).click();
    await page.getByRole("searchbox", { name: "Find a setting" }).fill("local");
    await page.getByRole("main").getByRole("link", { name: "Locales" }).click();
    await heading(page, "Locales").waitFor();

    await app.leave();
    const elsewhere = await app.visit();
    await enterQuickly(app, elsewhere, nowhere);
    await expect.poll(() => favorites(elsewhere)).toEqual(["Acme", "All companies"]);

    // Who can only look at how others have set it up does not see it.
    await app.leave();
    const other = await app.visit();
    await enterQuickly(app, other, nowhere, "rep");
    const menu = other.getByRole("navigation", { name: "Navigation" });
    await menu.getByRole("link", { name: "Leads" }).waitFor();
    const words = ["Home", "My work", "Companies", "People", "Opportunities", "Leads", "Quotes"];
    expect((await menu.getByRole("link").allTextContents()).filter((text) => text !== "Dossier")).toEqual(words);
  });

  test("finds records, views and actions in the command palette, by keyboard alone", async () => {
    await addRows(app.service, "crm/leads", [{ last_name: "Quixotry", name: "Ann Quixotry", status: "new" }]);
    const page = await app.visit({ viewport: { width: 1440, height: 900 } });
    await enterQuickly(app, page, nowhere);
    await sees(page, "Page not found");
    await page.keyboard.press("Control+k");
    const box = page.getByRole("textbox", { name: "Search records, views and actions" });
    await box.fill("quixo");
    const hit = page.getByRole("dialog").getByText("Ann Quixotry");
    await hit.waitFor();
    await expectAccessible(page);
    await shoot(page, "palette-1440");
    await page.keyboard.press("Enter");
    await heading(page, "Ann Quixotry").waitFor();
    // What the page offers is there with its key; what was opened is recent.
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByText("Edit Ann Quixotry").waitFor();
    await page.getByRole("dialog").getByText("Ann Quixotry", { exact: true }).waitFor();
    await box.fill("all leads");
    await page.getByRole("dialog").getByText("All leads", { exact: true }).click();
    await page.getByRole("grid").waitFor();
    expect(new URL(page.url()).searchParams.get("view")).toMatch(/^[0-9a-f-]{36}$/);
    await page.getByRole("button", { name: "Command palette" }).click();
    await box.fill("quixotry");
    await page.getByRole("dialog").getByText("Search everything for “quixotry”").click();
    await heading(page, "Search everything").waitFor();
    await page
      .getByRole("main")
      .getByRole("link", { name: /Ann Quixotry/ })
      .waitFor();
    await shoot(page, "search-1440");
    await page.getByRole("searchbox").fill("no such thing");
    await sees(page, "No results for “no such thing”");
    expect(new URL(page.url()).searchParams.get("text")).toBe("no such thing");
  });

  test("cuts long lines of the palette short on a phone, and shows their end", async () => {
    const name = "Bartholomew Featherstonehaugh-Cholmondeley of the Northern Territories";
    await addRows(app.service, "crm/leads", [{ last_name: "Featherstonehaugh", name, status: "new" }]);
    const page = await app.visit({ viewport: { width: 380, height: 760 } });
    await enterQuickly(app, page, nowhere);
    await sees(page, "Page not found");
    await page.getByRole("button", { name: "Command palette" }).click();
    await page.getByRole("textbox", { name: "Search records, views and actions" }).fill("featherston");
    const palette = page.getByRole("dialog");
    const hit = palette.getByRole("button", { name });
    await hit.waitFor();
    const [inner, outer] = [await hit.boundingBox(), await palette.boundingBox()];
    expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThanOrEqual((outer?.x ?? 0) + (outer?.width ?? 0));
  });

  test("goes by single keys, lists them all in a sheet, leaves typing alone; on a phone, its navigation is a drawer", async () => {
    const page = await app.visit();
    // The organization's logo is no reason for a page to fail.
    await page.route("**/organizations/info.json*", (route) => route.abort());
    const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("organizations/info"));
    await enterQuickly(app, page, nowhere);
    await sees(page, "Page not found");
    await failed;
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.getByText("Leads", { exact: true }).waitFor();
    await shoot(page, "shortcuts-1280");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await heading(page, "Leads").waitFor();
    await page
      .getByRole("searchbox")
      .or(page.getByRole("textbox", { name: /^Search/ }))
      .first()
      .fill("");
    await page.keyboard.type("gh?");
    expect(await heading(page, "Leads").count()).toBe(1);
    expect(await sheet.count()).toBe(0);
    await page.setViewportSize({ width: 380, height: 760 });
    await page.getByRole("button", { name: "Command palette" }).click();
    await page.getByRole("textbox", { name: "Search records, views and actions" }).waitFor();
    await shoot(page, "palette-380");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(380);
    await page.keyboard.press("Escape");
    const drawer = page.getByRole("dialog");
    await drawer.waitFor({ state: "detached" });
    expect(await page.getByRole("navigation", { name: "Navigation" }).count()).toBe(0);
    await page.getByRole("button", { name: "Open navigation" }).click();
    await drawer.getByRole("link", { name: "Companies", exact: true }).click();
    await heading(page, "Companies").waitFor();
    await drawer.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Open navigation" }).click();
    await drawer.waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  });

  test("folds, changes the theme, speaks a language that is written from right to left, and keeps it all over a reload", async () => {
    const page = await app.visit({ colorScheme: "light" });
    await enterQuickly(app, page, nowhere);
    const navigation = page.getByRole("navigation", { name: "Navigation" });
    await navigation.getByRole("button", { name: "Sales" }).click();
    await navigation.getByRole("link", { name: "Leads" }).waitFor({ state: "detached" });
    const scheme = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
    await expect.poll(scheme).toBe("light");
    await page.getByRole("button", { name: /user menu$/ }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await expect.poll(scheme).toBe("dark");
    await page.getByRole("menuitemradio", { name: "العربية" }).click();
    await page.getByRole("link", { name: "الرئيسية" }).waitFor();
    // What the service calls things follows at once.
    const folded = page
      .getByRole("navigation", { name: "التنقل" })
      .getByRole("button", { name: "المبيعات", expanded: false });
    await folded.waitFor();
    await expect
      .poll(() => page.evaluate(() => [document.documentElement.dir, document.documentElement.lang]))
      .toEqual(["rtl", "ar"]);
    const box = await page.getByRole("navigation", { name: "التنقل" }).boundingBox();
    expect(box?.x).toBeGreaterThan(640);
    await page.reload();
    await page.getByRole("link", { name: "الرئيسية" }).waitFor();
    expect(await scheme()).toBe("dark");
    await folded.waitFor();
    // Narrow, there is room for all of it.
    await page.getByRole("button", { name: "طيّ التنقل" }).click();
    await page.getByRole("navigation", { name: "التنقل" }).getByRole("link", { name: "العملاء المحتملون" }).waitFor();
    expect((await page.getByRole("navigation", { name: "التنقل" }).boundingBox())?.width).toBeLessThan(64);
  });

  test("says that there is nothing at an unknown address, inside the frame, and which record type there is not", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/crm/unicorns");
    await page.getByRole("heading", { name: "Record type crm/unicorns not found" }).waitFor();
    // Nor does the page of one of its records offer a list of them.
    await page.goto("/crm/unicorns/view?id=1");
    await page.getByRole("heading", { name: "Record type crm/unicorns not found" }).waitFor();
    expect(await page.getByRole("main").getByRole("link", { name: /^All/ }).count()).toBe(0);
    await follow(page, nowhere);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.getByRole("link", { name: "Go to home page" }).click();
    await heading(page, /^Good/).waitFor();
  });

  test("without an answer: comes back by itself, shows the request id, tries again on request, and says that one is offline", async () => {
    const page = await app.visitApart();
    await enterQuickly(app, page, nowhere);
    const navigation = page.getByRole("navigation", { name: "Navigation" });
    const schema = "**/metadata/schema/index.json*";
    await page.route(schema, (route) =>
      route.fulfill({ status: 503, json: { errors: ["The service is not ready yet"], message: [] } }),
    );
    await navigation.getByRole("link", { name: "Companies", exact: true }).click();
    await page.getByRole("heading", { name: "The server isn't ready" }).waitFor();
    await page.unroute(schema);
    await heading(page, "Companies").waitFor();

    await page.route(schema, (route) =>
      route.fulfill({ status: 500, json: { errors: ["Something went wrong"], message: [], request_id: "req-4711" } }),
    );
    const leads = navigation.getByRole("link", { name: "Leads" });
    await leads.click();
    await sees(page, "req-4711");
    await page.unroute(schema);
    await page.getByRole("button", { name: "Try again" }).click();
    await heading(page, "Leads").waitFor();

    // A screen that isn't loaded yet says so, the page stays, and trying again loads it.
    await page.evaluate(() => document.body.setAttribute("data-before", ""));
    await page.context().setOffline(true);
    await sees(page, "You're offline.");
    await follow(page, "/crm/leads/import");
    const missing = page.getByRole("heading", { name: "Couldn't load this part of the app" });
    await missing.waitFor();
    await leads.waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await missing.waitFor();
    await page.context().setOffline(false);
    await page.getByText("You're offline.").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Try again" }).click();
    await heading(page, "Import leads").waitFor();
    const styles = () =>
      page.evaluate(() =>
        [...document.querySelectorAll("link[rel=stylesheet]")].every((one) => "sheet" in one && one.sheet),
      );
    expect(await styles()).toBe(true);
    expect(await page.evaluate(() => document.body.hasAttribute("data-before"))).toBe(true);
  });

  test("after an upgrade, what can't be loaded any more says so, and the page loads itself anew at most once", async () => {
    const page = await app.visitApart();
    await enterQuickly(app, page, nowhere);
    await sees(page, "Page not found");
    const token = await app.service.login();
    const values = { data: { companies: { name: "Larch" }, action: { save_progress: "Save" } } };
    const { body } = await app.service.post("/crm/companies/add.json", values, token);
    await page.route(/\/assets\/(?:access-panel|document|import-screen|notification-list)-[^/]*\.js$/u, (route) =>
      route.fulfill({ status: 404 }),
    );
    await page.route(`${app.url}/`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        body: (await answer.text()).replace(/assets\/ground-[^"]*\.js/u, "assets/ground-next.js"),
      });
    });
    const mark = () => page.evaluate(() => document.body.setAttribute("data-before", ""));
    const isBefore = () => page.evaluate(() => document.body.hasAttribute("data-before"));
    await follow(page, `/crm/companies/view?id=${body.id}`);
    await page.getByRole("tab", { name: "Access" }).waitFor();
    await mark();
    await page.getByRole("tab", { name: "Access" }).click();
    await page.getByRole("heading", { name: "A new version is available" }).waitFor();
    await heading(page, "Larch").waitFor();
    await expectAccessible(page);
    expect(await isBefore()).toBe(true);
    await page.getByRole("button", { name: "Reload" }).click();
    await expect.poll(isBefore).toBe(false);
    await heading(page, "Larch").waitFor();
    await mark();
    await page.getByRole("button", { name: /^Notifications/ }).click();
    // The tab, which is open again, says so too.
    const bell = page.getByRole("dialog", { name: /^Notifications/ });
    await bell.getByRole("heading", { name: "A new version is available" }).waitFor();
    await page.keyboard.press("Escape");
    await heading(page, "Larch").waitFor();
    // Not while something is typed on the page that is left.
    await page.getByRole("tab", { name: "Activity" }).click();
    await page.getByPlaceholder(/^Add a comment/).fill("Half a sen");
    await follow(page, "/crm/companies/import");
    await page.getByRole("heading", { name: "A new version is available" }).waitFor();
    expect(await isBefore()).toBe(true);
    await follow(page, `/crm/companies/view?id=${body.id}`);
    await page.getByPlaceholder(/^Add a comment/).fill("");
    await follow(page, "/core/forms/add");
    await expect.poll(isBefore).toBe(false);
    await page.getByRole("heading", { name: "A new version is available" }).waitFor();
    await shoot(page, "new-version");
  });

  test("what is on its way moves, and stands still for who asked for that", async () => {
    const page = await app.visit({ reducedMotion: "no-preference" });
    // Never answered.
    await page.route("**/crm/leads/index.json*", () => undefined);
    await enterQuickly(app, page, "/crm/leads/index");
    await page.locator(".mantine-Skeleton-root").first().waitFor();
    const moving = () => page.evaluate(() => document.getAnimations().length > 0);
    expect(await moving()).toBe(true);
    await page.emulateMedia({ reducedMotion: "reduce" });
    expect(await moving()).toBe(false);
  });
});
