// What somebody does while the app is not done yet: no focus is taken away late, and nothing fails for an ornament.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type App, enterQuickly, heading, openApp, sees } from "./app.ts";
import { inBrowser } from "./browser.ts";
import { field, save } from "./leads.ts";
import { holdTurns } from "./unrest.ts";

inBrowser("at once", () => {
  let app: App;
  beforeAll(async () => {
    app = await openApp();
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("a refused field has the focus by the time the refusal is seen, and whoever goes on elsewhere keeps it", async () => {
    const page = await app.visit();
    await holdTurns(page);
    await enterQuickly(app, page, "/crm/leads/add");
    await field(page, "First name").fill("Maj");
    // Whatever the app leaves for later does not happen any more.
    const refused = page.evaluate(() => window.turns.holdAt("[role=alert]"));
    await save(page);
    await refused;
    await sees(page, "1 field needs your attention");
    const hasFocus = (name: string) => field(page, name).evaluate((input) => input === document.activeElement);
    await expect.poll(() => hasFocus("Last name")).toBe(true);
    await field(page, "City").focus();
    await page.evaluate(() => window.turns.release());
    await page.keyboard.type("Umeå");
    expect(await field(page, "City").inputValue()).toBe("Umeå");
  });

  test("the organization's logo is no reason for a page to fail", async () => {
    const page = await app.visit();
    await page.route("**/assets/organization-logo-*.js", (route) => route.abort());
    const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("organization-logo"));
    await enterQuickly(app, page, "/");
    await failed;
    await page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name: "Leads" }).click();
    await heading(page, "Leads").waitFor();
  });
});
