// Logging in: refusals in words, what was typed kept, the wanted place remembered, the throttle with its countdown.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { type App, enter, fillLogin, heading, openApp, sees } from "./app.ts";
import { inBrowser } from "./browser.ts";

inBrowser("the way in", () => {
  let app: App;
  beforeAll(async () => {
    app = await openApp();
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("refuses a wrong password in words, keeps what was typed, then lets the right one in", async () => {
    const page = await app.visit();
    await page.goto("/");
    await fillLogin(page, app.service.admin.userName, "not the password");
    await sees(page, "The user name or the password is not right");
    expect(await page.getByLabel("User name").inputValue()).toBe(app.service.admin.userName);
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("not the password");
    // The refused password is selected: typing replaces it.
    await page.keyboard.type(app.service.admin.password);
    await page.keyboard.press("Enter");
    await heading(page, /^Good (morning|afternoon|evening), /).waitFor();
    await expect.poll(() => page.title()).toBe("Home · Dossier");
  });

  test("goes on to the place that was asked for", async () => {
    const page = await app.visit();
    await enter(app, page, "/crm/leads/about?tab=access");
    await page.getByRole("heading", { name: "What roles allow" }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/crm/leads/about?tab=access");
  });

  test("does not go on to another site", async () => {
    const page = await app.visit();
    await enter(app, page, "/login?next=https%3A%2F%2Fexample.com%2F");
    await heading(page, /^Good/).waitFor();
    expect(new URL(page.url()).origin).toBe(app.url);
  });

  test("says what is missing before it asks the service", async () => {
    const page = await app.visit();
    await page.goto("/login");
    await page.getByRole("button", { name: "Log in" }).click();
    await sees(page, "Enter your user name or email");
    await sees(page, "Enter your password");
  });

  test.each(["/login", "/access_controls/users/activate_forgotten_password"])(
    "asks for a user name or email in Arabic too: %s",
    async (place) => {
      const page = await app.visit({ viewport: { width: 390, height: 844 } });
      await page.addInitScript(() => localStorage.setItem("dossier.language", "ar"));
      await page.goto(place);
      const field = page.getByLabel("اسم المستخدم أو البريد الإلكتروني");
      await field.press("Enter");
      await sees(page, "أدخل اسم المستخدم أو البريد الإلكتروني");
      expect(await field.getAttribute("aria-invalid")).toBe("true");
    },
  );

  test("shows the password on request", async () => {
    const page = await app.visit();
    await page.goto("/login");
    const password = page.getByLabel("Password", { exact: true });
    await password.fill("correct horse");
    expect(await password.getAttribute("type")).toBe("password");
    await page.getByRole("button", { name: "Show password" }).click();
    await expect.poll(() => password.getAttribute("type")).toBe("text");
  });

  test("says that the service cannot be reached, and keeps what was typed", async () => {
    const page = await app.visit();
    await page.goto("/login");
    await page.getByLabel("User name").waitFor();
    await page.context().setOffline(true);
    await fillLogin(page, "somebody", "some password");
    await sees(page, "The service cannot be reached");
    expect(await page.getByLabel("User name").inputValue()).toBe("somebody");
    await page.context().setOffline(false);
  });

  test("opens the login for the wire's own login address", async () => {
    const page = await app.visit();
    await page.goto("/access_controls/users/login");
    await page.getByLabel("User name").waitFor();
    expect(new URL(page.url()).pathname).toBe("/login");
  });

  test("keeps no token in a cookie, and the access token in no storage", async () => {
    const page = await app.visit();
    await enter(app, page);
    await heading(page, /^Good/).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(kept).not.toContain("eyJ");
  });
});

inBrowser("the throttled way in", () => {
  let app: App;
  beforeAll(async () => {
    app = await openApp({ RATE_LIMIT: "600" });
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("counts down after too many attempts", async () => {
    const users = { user_name: "somebody", user_password: "wrong password" };
    await app.service.post("/access_controls/users/login.json", { data: { users } });
    // As after many more attempts: longer than it takes a busy machine to draw the page.
    await app.service.db.run(sql`
      update access_controls__throttles set until = (now() at time zone 'utc') + interval '10 minutes'`);
    const page = await app.visit();
    await page.goto("/login");
    await fillLogin(page, "somebody", "wrong password");
    await sees(page, "Too many attempts");
    await sees(page, /You can try again in \d+ second/);
    expect(await page.getByRole("button", { name: "Log in" }).isDisabled()).toBe(true);
    expect(await page.getByLabel("User name").inputValue()).toBe("somebody");
  });
});
