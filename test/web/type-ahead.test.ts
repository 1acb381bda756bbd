// What is typed at once after the key that opens something: it goes into the input that is still on its way, in order, and
// never to a shortcut or to the page.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { addRows } from "../http/people.ts";
import { type App, enterQuickly, heading, openApp, sees } from "./app.ts";
import { inBrowser } from "./browser.ts";

/** Where only the palette counts. */
const nowhere = "/no/such/place";
const search = "Search records, views and actions";

/** Only while the work is done: to be slow takes all the time of a processor. */
async function slowly(page: Page, work: () => Promise<void>): Promise<void> {
  const slow = await page.context().newCDPSession(page);
  await slow.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  try {
    await work();
  } finally {
    await slow.detach();
  }
}

/** The part of the app that is asked for is late by as long as one likes. */
async function hold(page: Page, chunk: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route(`**/assets/${chunk}-*.js`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

inBrowser("typing ahead", () => {
  let app: App;
  beforeAll(async () => {
    app = await openApp();
    await addRows(
      app.service,
      "crm/leads",
      ["Ash", "Birch", "Cedar"].map((name) => ({ last_name: name, name, company_name: "Lindqvist", status: "new" })),
    );
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  const open = async (place: string): Promise<Page> => {
    const page = await app.visit();
    await enterQuickly(app, page, place);
    return page;
  };
  const value = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true }).inputValue();

  const closed = async (page: Page): Promise<void> => {
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  };

  test("all that is typed after Ctrl+K is in the palette, none of it is a shortcut, and the focus goes back", async () => {
    const page = await open("/crm/leads/index");
    await page.getByRole("grid").getByText("Cedar").waitFor();
    const release = await hold(page, "palette");
    await slowly(page, async () => {
      await page.keyboard.press("Control+k");
      // Each of these is a shortcut of the list: new record, filter, next row, comment, pick.
      await page.keyboard.type("cfjmxg l? cedar");
      await page.keyboard.press("Backspace");
      release();
      await expect.poll(() => value(page, search)).toBe("cfjmxg l? ceda");
    });
    await heading(page, "Leads").waitFor();
    expect(new URL(page.url()).pathname).toBe("/crm/leads/index");
    await page.keyboard.type("r");
    await expect.poll(() => value(page, search)).toBe("cfjmxg l? cedar");
    await closed(page);
    // The palette that is fetched already loses nothing either, nor does its button.
    await page.getByRole("button", { name: "Command palette" }).click();
    await page.keyboard.type("cedar one");
    await expect.poll(() => value(page, search)).toBe("cedar one");
    await closed(page);
    // From another input, which keeps what it has and gets the focus back.
    await page.getByRole("searchbox").fill("ced");
    await slowly(page, async () => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("two");
      await expect.poll(() => value(page, search)).toBe("two");
    });
    await closed(page);
    await expect.poll(() => page.getByRole("searchbox").evaluate((box) => box === document.activeElement)).toBe(true);
    expect(await page.getByRole("searchbox").inputValue()).toBe("ced");
  });

  test("Enter opens what the words find, not what they found before", async () => {
    const page = await open(nowhere);
    await sees(page, "Page not found");
    const release = await hold(page, "palette");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("birch");
    await page.keyboard.press("Enter");
    release();
    await heading(page, "Birch").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("textbox", { name: search }).fill("ce");
    await page.getByRole("dialog").getByText("Cedar").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("lindqvist ash");
    await page.keyboard.press("Enter");
    await heading(page, "Ash").waitFor();
  });

  test("what an input method composes comes through whole", async () => {
    const page = await open(nowhere);
    await sees(page, "Page not found");
    const release = await hold(page, "palette");
    const keyboard = await page.context().newCDPSession(page);
    const compose = (text: string) =>
      keyboard.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    await page.keyboard.press("Control+k");
    await compose("に");
    release();
    await page.waitForResponse(/palette-/);
    await compose("にほ");
    await keyboard.send("Input.insertText", { text: "日本" });
    await expect.poll(() => value(page, search)).toBe("日本");
  });

  test("a cell that is chosen in opens while its input is fetched; a key that is held down opens once, and is no text", async () => {
    const page = await open("/crm/leads/index");
    const row = page.getByRole("row").filter({ hasText: "Cedar" });
    await row.getByText("New", { exact: true }).click();
    const release = await hold(page, "cell-editor");
    await page.keyboard.press("F2");
    release();
    await page.getByRole("option", { name: "Contacted" }).click();
    await row.getByText("Contacted").waitFor();

    const releasePalette = await hold(page, "palette");
    await page.keyboard.down("Control");
    for (let times = 0; times < 4; times += 1) await page.keyboard.down("k");
    await page.keyboard.up("k");
    await page.keyboard.up("Control");
    await page.keyboard.type("kk");
    releasePalette();
    await expect.poll(() => value(page, search)).toBe("kk");
    await closed(page);
    for (let times = 0; times < 4; times += 1) await page.keyboard.down("c");
    await page.keyboard.up("c");
    await page.keyboard.type("Dorit");
    await page.getByRole("dialog", { name: /New lead/i }).waitFor();
    await expect.poll(() => value(page, "First name")).toBe("Dorit");
  });

  test("a cell that is opened takes what is typed; a key that is pressed the moment a screen appears is heard", async () => {
    const page = await open("/crm/leads/index");
    const row = page.getByRole("row").filter({ hasText: "Birch" });
    await row.getByText("Lindqvist").click();
    const release = await hold(page, "cell-editor");
    await page.keyboard.press("F2");
    await page.keyboard.type("cm x");
    await page.keyboard.press("Enter");
    release();
    await row.getByText("cm x").waitFor();
    await page
      .getByText(/Company.*saved|updated/)
      .first()
      .waitFor();
    expect(new URL(page.url()).pathname).toBe("/crm/leads/index");

    // Between what puts the record on the screen and its first picture.
    await page.evaluate(() => {
      const press = new KeyboardEvent("keydown", { key: "e", code: "KeyE", bubbles: true, cancelable: true });
      const observer = new MutationObserver(() => {
        if (document.querySelector("h1")?.textContent !== "Ash") return;
        observer.disconnect();
        document.body.dispatchEvent(press);
      });
      observer.observe(document, { childList: true, subtree: true, characterData: true });
    });
    await page.getByRole("grid").getByRole("link", { name: "Ash" }).first().click();
    await page.waitForURL(/\/crm\/leads\/edit\?/u);
    await heading(page, "Ash").waitFor();
  });

  test("what cannot be fetched leaves the page and the keyboard as they were, and is fetched once more when asked for", async () => {
    // From the start: an idle page fetches what it may need.
    const page = await app.visitApart();
    await page.route("**/assets/palette-*.js", (route) => route.abort());
    await enterQuickly(app, page, nowhere);
    await sees(page, "Page not found");
    await page.getByRole("button", { name: "Command palette" }).click();
    await sees(page, "Couldn't load this part of the app");
    await sees(page, "Page not found");
    await page.unroute("**/assets/palette-*.js");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("cedar");
    await expect.poll(() => value(page, search)).toBe("cedar");
  });
});
