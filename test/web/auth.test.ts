// Logging in: refusals in words, what was typed kept, no other site, the throttle with its countdown. The wanted place: session.test.ts.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type App, fillLogin, heading, openApp, sees } from "./app.ts";
import { inBrowser } from "./browser.ts";

inBrowser("the way in", () => {
  let app: App;
  beforeAll(async () => {
    app = await openApp();
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("says what is missing or wrong, keeps what was typed, lets the right password in, and stays on this site", async () => {
    const page = await app.visit();
    // The wire's own address for it.
    await page.goto("/access_controls/users/login");
    await page.getByRole("button", { name: "Sign in" }).click();
    await sees(page, "Enter your user name or email");
    await sees(page, "Enter your password");
    expect(await page.getByLabel("User name").getAttribute("aria-invalid")).toBe("true");
    expect(new URL(page.url()).pathname).toBe("/login");
    const password = page.getByLabel("Password", { exact: true });
    await page.route("**/users/login.json", (route) => route.abort("internetdisconnected"));
    await fillLogin(page, "somebody", "some password");
    await sees(page, "Couldn't reach the server");
    await page.unroute("**/users/login.json");
    expect(await page.getByLabel("User name").inputValue()).toBe("somebody");
    expect(await password.getAttribute("type")).toBe("password");
    await page.getByRole("button", { name: "Show password" }).click();
    await expect.poll(() => password.getAttribute("type")).toBe("text");

    await page.goto("/login?next=https%3A%2F%2Fexample.com%2F");
    await fillLogin(page, app.service.admin.userName, "not the password");
    await sees(page, "Incorrect user name or password");
    expect(await page.getByLabel("User name").inputValue()).toBe(app.service.admin.userName);
    expect(await password.inputValue()).toBe("not the password");
    // The refused password is selected: typing replaces it.
    await page.keyboard.type(app.service.admin.password);
    await page.keyboard.press("Enter");
    await heading(page, /^Good (morning|afternoon|evening), /).waitFor();
    await expect.poll(() => page.title()).toBe("Home · Dossier");
    expect(new URL(page.url()).origin).toBe(app.url);
    // No token is in a cookie, and the access token in no storage.
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
    const page = await app.visitApart();
    await page.clock.install();
    await page.goto("/login");
    await page.getByLabel("User name").fill("somebody");
    await page.getByLabel("Password", { exact: true }).fill("wrong password");
    // The page's clock stands still: what it says does not hang on how long the machine takes.
    await page.clock.pauseAt(Date.now() + 60_000);
    const button = page.getByRole("button", { name: "Sign in" });
    const tryOnce = async () => {
      const answered = page.waitForResponse("**/access_controls/users/login.json");
      await button.click();
      return answered;
    };
    let refused = 0;
    let answer = await tryOnce();
    // The first wait is short; a machine that is slower than it is made to wait longer each time.
    for (; answer.status() === 401; answer = await tryOnce()) refused += 1;
    expect(answer.status()).toBe(429);
    expect(refused).toBeGreaterThanOrEqual(5);
    const wait = Number(answer.headers()["retry-after"]);
    await sees(page, "Too many attempts");
    await sees(page, new RegExp(`^Try again in ${wait} second`));
    await expect.poll(() => button.isDisabled()).toBe(true);
    expect(await page.getByLabel("User name").inputValue()).toBe("somebody");
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("wrong password");
    await page.clock.runFor((wait - 1) * 1_000);
    await sees(page, /^Try again in 1 second\.$/);
    await page.clock.runFor(1_000);
    await expect.poll(() => page.getByText("Too many attempts").count()).toBe(0);
    await expect.poll(() => button.isEnabled()).toBe(true);
  });
});
