// The life of a session in the browser: reloads, several tabs, logging out, and being thrown out.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type App, enter, enterQuickly, fillLogin, heading, hearNothing, openApp, sees } from "./app.ts";
import { inBrowser } from "./browser.ts";

const path = (page: Page): string => new URL(page.url()).pathname;

/** Until the page has asked for so many things. */
const callsOf = (page: Page, count: number) =>
  new Promise<void>((resolve) => {
    let left = count;
    const note = () => {
      left -= 1;
      if (left > 0) return;
      page.off("request", note);
      resolve();
    };
    page.on("request", note);
  });

inBrowser("a session", () => {
  let app: App;
  beforeAll(async () => {
    app = await openApp();
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("goes on to the place that was asked for, and survives reloads that wait for nothing, not even for a new token", async () => {
    const page = await app.visit();
    await enter(app, page, "/crm/leads/about?tab=access");
    const permissions = page.getByRole("heading", { name: "Role permissions" });
    await permissions.waitFor();
    expect(path(page) + new URL(page.url()).search).toBe("/crm/leads/about?tab=access");
    // Left after the first call of the page, after the second, and so on.
    for (let round = 0; round < 10; round += 1) {
      const calls = callsOf(page, 1 + round);
      await page.goto("/crm/leads/about?tab=access", { waitUntil: "commit" });
      await calls;
    }
    await permissions.waitFor();
    const kept = await page.evaluate(() => localStorage.getItem("dossier.refresh"));
    let answered = 0;
    // The service has spent the token, and nobody reads what it gave for it.
    await page.route("**/access_controls/users/access_token**", async (route) => {
      await route.fetch();
      answered += 1;
      await route.abort();
    });
    await page.addInitScript(() => sessionStorage.removeItem("dossier.handover"));
    for (let round = 1; round <= 3; round += 1) {
      // What a page hands to the next one is gone with the tab.
      await page.evaluate(() => sessionStorage.clear());
      await page.goto("/crm/leads/about", { waitUntil: "commit" });
      await expect.poll(() => answered).toBeGreaterThanOrEqual(round);
    }
    await page.unroute("**/access_controls/users/access_token**");
    await page.goto("/crm/companies/about");
    await heading(page, "Companies").waitFor();
    expect(await page.evaluate(() => localStorage.getItem("dossier.refresh"))).not.toBe(kept);
  });

  test("is shared by tabs that all open at once, ends in every tab when one logs out, and begins in every tab when one logs in", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/crm/leads/about");
    await heading(page, "Leads").waitFor();
    const tabs = await Promise.all([1, 2, 3].map(() => page.context().newPage()));
    await Promise.all(tabs.map((tab) => tab.goto("/crm/leads/about")));
    await Promise.all(tabs.map((tab) => heading(tab, "Leads").waitFor()));
    await page.reload();
    await heading(page, "Leads").waitFor();
    const [other = page, ...rest] = tabs;
    await Promise.all(rest.map((tab) => tab.close()));
    await page.getByRole("button", { name: /user menu$/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await sees(page, "You're signed out.");
    await sees(other, "You're signed out.");
    expect(await page.evaluate(() => localStorage.getItem("dossier.refresh"))).toBeNull();
    await fillLogin(other, app.service.admin.userName, app.service.admin.password);
    await heading(other, /^Good/).waitFor();
    await heading(page, /^Good/).waitFor();
  });

  test("that the service has ended leads to the login and back to the same place", async () => {
    const page = await app.visit();
    await hearNothing(page);
    await enterQuickly(app, page, "/crm/leads/about");
    await heading(page, "Leads").waitFor();
    // Another device changes the password, which ends this session.
    const token = await app.service.login();
    const { password } = app.service.admin;
    const change = async (from: string, to: string) => {
      const users = { old_password: from, user_password: to, confirm_password: to };
      const answer = await app.service.post("/access_controls/users/change_password.json", { data: { users } }, token);
      expect(answer.body.errors).toEqual([]);
    };
    await change(password, `${password} anew`);
    await change(`${password} anew`, password);
    await page.getByRole("link", { name: "Companies", exact: true }).click();
    await sees(page, "Your session expired");
    await fillLogin(page, app.service.admin.userName, password);
    await heading(page, "Companies").waitFor();
    expect(path(page)).toBe("/crm/companies/index");
  });

  test("leaves nothing behind for the next visitor, and no complaint unheard", async () => {
    const first = await app.visit({ colorScheme: "dark", viewport: { width: 380, height: 760 } });
    await first.addInitScript(() => Object.assign(window, { marked: true }));
    await first.route("**/mark.svg", (route) => route.continue());
    await first.goto("/mark.svg");
    await first.emulateMedia({ media: "print" });
    const asked: string[] = [];
    first.on("request", (request) => asked.push(request.url()));
    await first.evaluate(async () => {
      localStorage.setItem("kept", "1");
      sessionStorage.setItem("kept", "1");
      await new Promise((done) => {
        indexedDB.open("kept").onsuccess = ({ target }) => {
          (target as IDBOpenDBRequest).result.close();
          done(undefined);
        };
      });
      setTimeout(() => console.error("something is wrong"));
      await new Promise((done) => setTimeout(done));
    });
    await first.context().addCookies([{ name: "kept", value: "1", url: app.url }]);
    await expect(app.leave()).rejects.toThrow("something is wrong");

    asked.splice(0);
    const next = await app.visit();
    await next.goto("/mark.svg");
    const found = await next.evaluate(async () => ({
      marked: "marked" in window,
      kept: [localStorage.length, sessionStorage.length, (await indexedDB.databases()).length],
      isDark: matchMedia("(prefers-color-scheme: dark)").matches,
      isPrinted: matchMedia("print").matches,
      width: innerWidth,
    }));
    expect(found).toEqual({ marked: false, kept: [0, 0, 0], isDark: false, isPrinted: false, width: 1280 });
    expect(await next.context().cookies()).toEqual([]);
    expect(asked).toEqual([]);
  });
});
