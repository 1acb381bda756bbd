// What the web app asks the service for when somebody opens a list, scrolls it, searches it, opens a record and moves a card:
// requests, bytes on the wire, and how many requests were canceled because something newer took their place.
import type { Page, Request } from "playwright-core";
import { findChromium, launchChromium } from "../../test/web/chromium.ts";
import type { Context } from "../compare.ts";
import { benchPassword, callers } from "../organization/people.ts";
import type { Fact } from "../report/result.ts";
import { isOpen, quietOf } from "../web/quiet.ts";

const SCREENS = 20;
const SEARCH = "miller";
/** Between two keystrokes of somebody who types well. */
const KEYSTROKE_MS = 120;

const board = `/crm/leads/index?q=${encodeURIComponent(
  JSON.stringify({
    fields: ["leads.name", "leads.status", "leads.amount"],
    ui_helper: "kanban",
    chart: { lanes: "leads.status", value: "leads.amount" },
  }),
)}`;

export async function measureApp({ served }: Context): Promise<readonly Fact[]> {
  const chromium = findChromium();
  if (chromium === undefined) throw new Error("The section app needs Chromium: install it or set CHROMIUM_PATH");
  const browser = await launchChromium(chromium);
  try {
    const context = await browser.newContext({
      baseURL: `http://127.0.0.1:${served.port}`,
      viewport: { width: 1440, height: 900 },
    });
    return await walk(await context.newPage());
  } finally {
    await browser.close();
  }
}

async function walk(page: Page): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  const asked: Request[] = [];
  page.on("request", (request) => asked.push(request));
  const quiet = quietOf(page);
  const grid = page.getByRole("grid");
  const deed = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    asked.length = 0;
    await act();
    await quiet();
    let bytes = 0;
    let cancelled = 0;
    for (const request of asked) {
      if (isOpen(request)) continue;
      if (request.failure() !== null) cancelled += 1;
      else if ((await request.response()) !== null) {
        const sizes = await request.sizes();
        bytes += sizes.responseBodySize + sizes.responseHeadersSize;
      }
    }
    const note = `${(bytes / 1024).toFixed(0)} KiB received with code and styles${cancelled > 0 ? `, ${cancelled} cancelled` : ""}`;
    const calls = asked.filter((request) => new URL(request.url()).pathname.endsWith(".json")).length;
    facts.push({ name: what, value: calls, unit: "calls", note });
  };
  await page.goto("/login");
  await page.getByLabel("User name").fill(callers.administrator);
  await page.getByLabel("Password", { exact: true }).fill(benchPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Navigation" }).waitFor();
  await quiet();

  const seen = () => grid.getByRole("gridcell").nth(2).waitFor();
  await deed("open the list of leads for the first time", async () => {
    await page.goto("/crm/leads/index");
    await seen();
  });
  await deed("open it again", async () => {
    await page.reload();
    await seen();
  });
  await deed(`scroll down ${SCREENS} screens`, async () => {
    await grid.hover();
    for (let screen = 0; screen < SCREENS; screen += 1) await page.mouse.wheel(0, 800);
    await seen();
  });
  await deed("drag the scroll bar to the end and back", async () => {
    const to = (part: number) =>
      grid.evaluate((element, at) => element.scrollTo({ top: element.scrollHeight * at }), part);
    for (const part of [0.25, 0.5, 0.75, 1, 0.5, 0]) await to(part);
    await seen();
  });
  await deed(`type "${SEARCH}" into the search`, async () => {
    const answered = page.waitForResponse((response) => response.url().includes(SEARCH));
    await page.getByRole("searchbox").click();
    await page.keyboard.type(SEARCH, { delay: KEYSTROKE_MS });
    await answered;
  });
  await deed("open a record", async () => {
    await page.getByRole("searchbox").blur();
    await page.keyboard.press("j");
    const answered = page.waitForResponse(/view\.json/u);
    await page.keyboard.press("Enter");
    await answered;
  });
  await deed("open the next one, its code being known", async () => {
    await page.goBack();
    await seen();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const answered = page.waitForResponse(/view\.json/u);
    await page.keyboard.press("Enter");
    await answered;
  });
  await deed("open a board of leads", async () => {
    await page.goto(board);
    await page.getByRole("listitem").first().waitFor();
  });
  await deed("drag a card to the next lane", async () => {
    const lane = (name: string) => page.getByRole("region", { name, exact: true });
    const [from, to] = [
      await lane("New").getByRole("listitem").first().boundingBox(),
      await lane("Contacted").boundingBox(),
    ];
    if (!from || !to) throw new Error("the board shows no cards");
    await page.mouse.move(from.x + 20, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 40, to.y + 60, { steps: 8 });
    await page.mouse.up();
    await page.getByRole("button", { name: "Undo" }).waitFor();
  });
  return facts;
}
