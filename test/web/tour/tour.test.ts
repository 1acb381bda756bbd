// The pictures of docs/tour.md, of the demo organization. Every run shows that they can be made and that the page names what is
// there; `TOUR=1 node cli/dossier.mjs test test/web/tour/tour.test.ts` makes them anew.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { root } from "../../../server/lib/root.ts";
import { fillWithDemo } from "../../http/demo-service.ts";
import { type App, enterQuickly, openApp, untilQuiet } from "../app.ts";
import { inBrowser } from "../browser.ts";

const folder = path.join(root, "docs/tour");
const isKept = process.env.TOUR === "1";
const LARGEST = 120_000;
const wide = { width: 1440, height: 900 };

const pictures = [
  "home",
  "list",
  "record",
  "palette",
  "board",
  "calendar",
  "form",
  "workflow",
  "phone",
  "arabic",
] as const;
type Picture = (typeof pictures)[number];

inBrowser("the tour", () => {
  let app: App;
  let token: string;
  beforeAll(async () => {
    app = await openApp();
    await app.service.db.run(sql`update access_controls__organizations set name = 'Tarnholm Instruments' where id = 1`);
    await fillWithDemo(app.service, isKept ? 1 : undefined, isKept ? new Date().toISOString().slice(0, 10) : undefined);
    token = await app.service.login();
  });
  afterAll(() => app.stop());

  const idOf = async (type: string, where: Record<string, string>): Promise<string> => {
    const [, alias = ""] = type.split("/");
    // Few of the records are there in an ordinary run: any will do.
    const q = { fields: [`${alias}.id`], where: Object.keys(where).length > 0 ? [where] : [], limit: 1 };
    const address = `/${type}/index.json?track_open=0&q=${encodeURIComponent(JSON.stringify(q))}`;
    const { body } = await app.service.get(address, token);
    return body.paginate.data[0][`${alias}.id`];
  };
  const viewOf = (controller: string, name: string) =>
    idOf("core/listviews", { "listviews.controller": controller, "listviews.name": name });

  /** Within the app, which goes on from where it is. */
  const go = async (page: Page, address: string): Promise<void> => {
    await page.evaluate((to) => history.pushState({}, "", to), address);
  };
  const take = async (page: Page, name: Picture): Promise<void> => {
    await untilQuiet(page);
    await page.evaluate(async () => {
      await document.fonts.ready;
      await new Promise((done) => requestIdleCallback(done, { timeout: 2_000 }));
    });
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 82 });
    await session.detach();
    const bytes = Buffer.from(data, "base64");
    expect(bytes.length).toBeGreaterThan(5_000);
    if (!isKept) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${name}.webp`), bytes);
  };

  test("every picture can be made", async () => {
    const page = await app.visit({ viewport: wide, colorScheme: "light" });
    await enterQuickly(app, page, "/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator("svg text").nth(20).waitFor({ state: "attached" });
    await take(page, "home");
    const all = `/crm/leads/index?view=${await viewOf("crm/leads", "All leads")}`;
    await go(page, all);
    await page.getByRole("grid").getByRole("gridcell").nth(2).waitFor();
    await take(page, "list");
    const opportunity = await idOf("crm/opportunities", isKept ? { "opportunities.stage": "negotiation" } : {});
    await go(page, `/crm/opportunities/view?id=${opportunity}`);
    await page.getByRole("heading", { name: "Next step" }).waitFor();
    await page.getByText("created this record").first().waitFor();
    await take(page, "record");
    await page.keyboard.press("Control+k");
    const search = page.getByRole("textbox", { name: /^Search records/ });
    await search.waitFor();
    await take(page, "palette");
    await page.keyboard.press("Escape");
    await search.waitFor({ state: "hidden" });
    await page.emulateMedia({ colorScheme: "dark" });
    await go(page, `/crm/opportunities/index?view=${await viewOf("crm/opportunities", "Board by stage")}`);
    const lane = isKept ? page.getByRole("region", { name: "Proposal", exact: true }) : page.getByRole("region");
    await lane.getByRole("listitem").first().waitFor();
    await take(page, "board");
    await page.emulateMedia({ colorScheme: "light" });
    await go(page, `/crm/leads/index?view=${await viewOf("crm/leads", "Follow-ups")}`);
    await page.getByRole("button", { name: "Today" }).waitFor();
    await take(page, "calendar");
    await go(
      page,
      `/core/forms/edit?id=${await idOf("core/forms", { "forms.controller": "crm/leads", "forms.name": "Lead" })}`,
    );
    await page.getByRole("list", { name: "Details" }).waitFor();
    await take(page, "form");
    await go(page, `/core/workflows/view?id=${await idOf("core/workflows", { "workflows.controller": "crm/quotes" })}`);
    await page.locator("svg text", { hasText: "Submit for approval" }).first().waitFor();
    await take(page, "workflow");

    await page.setViewportSize({ width: 390, height: 844 });
    await go(page, `/crm/opportunities/view?id=${opportunity}`);
    await page.getByRole("heading", { name: "Next step" }).waitFor();
    await take(page, "phone");
    await page.setViewportSize(wide);
    await page.evaluate(() => localStorage.setItem("dossier.language", "ar"));
    await page.goto(all);
    await page.locator("html[dir=rtl]").waitFor();
    await page.getByRole("grid").getByRole("gridcell").nth(2).waitFor();
    await take(page, "arabic");
    await app.leave();
  });
});

test("the tour shows every picture, and each is small", () => {
  const page = readFileSync(path.join(root, "docs/tour.md"), "utf8");
  const named = [...page.matchAll(/!\[[^\]]+\]\(tour\/([a-z]+)\.webp\)/gu)].map(([, name]) => name);
  expect(named).toEqual([...pictures]);
  expect(readdirSync(folder).sort()).toEqual(pictures.map((name) => `${name}.webp`).sort());
  const large = pictures.filter((name) => statSync(path.join(folder, `${name}.webp`)).size > LARGEST);
  expect(large).toEqual([]);
});
