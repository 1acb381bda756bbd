// The visitors of the browser tests: what one does to the page that they share, the next one does not find.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type App, openApp } from "./web/app.ts";
import { inBrowser } from "./web/browser.ts";

inBrowser("visitors", () => {
  let app: App;
  beforeAll(async () => {
    app = await openApp();
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("who shares a page is refused its clock, whichever way it is changed; who comes apart has one", async () => {
    const { clock } = await app.visit();
    const changes = [
      () => clock.install(),
      () => clock.setFixedTime(0),
      () => clock.setSystemTime(0),
      () => clock.pauseAt(0),
      () => clock.fastForward(1_000),
      () => clock.runFor(1_000),
      () => clock.resume(),
    ];
    for (const change of changes) await expect(change()).rejects.toThrow("use visitApart");
    const apart = await app.visitApart();
    await apart.clock.setFixedTime(5_000);
    await apart.goto("/mark.svg");
    expect(await apart.evaluate(() => Date.now())).toBe(5_000);
  });
});
