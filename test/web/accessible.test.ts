// Every page in light and dark, wide and narrow, under axe: nothing serious. Leaves pictures in a temporary folder.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, test } from "vitest";
import { type App, enter, expectAccessible, fillLogin, openApp, sees, shoot } from "./app.ts";
import { inBrowser } from "./browser.ts";

/** Name, address, and what must be there before it is looked at. */
const pages: readonly (readonly [string, string, (page: Page) => Promise<unknown>])[] = [
  ["home", "/", (page) => page.getByRole("heading", { level: 2, name: "Sales" }).waitFor()],
  // Rows are alike: a few of them say as much as all.
  ["fields", "/crm/leads/about", (page) => page.getByLabel("Filter fields").fill("ed")],
  ["connections", "/crm/leads/about?tab=connections", (page) => sees(page, "Has many")],
  ["access", "/crm/leads/about?tab=access", (page) => page.getByRole("row", { name: /^You/ }).waitFor()],
  ["account", "/account", (page) => sees(page, "No keys yet")],
  ["nothing", "/no/such/place", (page) => sees(page, "There is nothing here")],
];

inBrowser("everything is accessible", () => {
  let app: App;
  beforeAll(async () => {
    app = await openApp();
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1280, 380]) {
      test(`in ${colorScheme}, ${width} px wide`, { timeout: 240_000 }, async () => {
        const page = await app.visit({ colorScheme, viewport: { width, height: 800 } });
        const look = async (name: string) => {
          await expectAccessible(page, width === 1280);
          await shoot(page, `${name}-${colorScheme}-${width}`);
        };
        await page.goto("/login");
        await page.getByLabel("User name").waitFor();
        await look("login");
        await fillLogin(page, "somebody", "wrong password");
        await sees(page, "That did not work");
        await look("login-refused");
        await enter(app, page);
        for (const [name, place, ready] of pages) {
          await page.goto(place);
          await ready(page);
          await look(name);
        }
        await page.goto("/account");
        await page.getByRole("button", { name: "New key" }).click();
        await page.getByRole("dialog").getByLabel("Name").waitFor();
        await look("new-key");
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.getByRole("button", { name: /^Menu of/ }).click();
        await page.getByRole("menuitem", { name: "Log out" }).waitFor();
        await look("menu");
      });
    }
  }
});
