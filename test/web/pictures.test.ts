// Views that are pictures: each is drawn, read as figures, and leads to the records behind a part of it.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { addRows } from "../http/people.ts";
import { type App, enterQuickly, expectAccessible, openApp, sees, shoot } from "./app.ts";
import { chromiumPath } from "./browser.ts";

const picture = (page: Page, name: RegExp) => page.getByRole("img", { name });
const count = (page: Page) => page.getByRole("main").getByRole("status").first();
const row = (page: Page, name: string | RegExp) => page.getByRole("grid").getByRole("row").filter({ hasText: name });
/** A mark of a drawing by what it says; drawings are SVG, so that their texts are there. */
const mark = (page: Page, text: string) => page.locator("svg text").filter({ hasText: text }).first();

describe.skipIf(chromiumPath === undefined)("pictures of lists", () => {
  let app: App;
  let token: string;
  const viewOf = async (controller: string, name: string): Promise<string> => {
    const q = { fields: ["listviews.id"], where: [{ "listviews.controller": controller }, { "listviews.name": name }] };
    const path = `/core/listviews/index.json?track_open=0&q=${encodeURIComponent(JSON.stringify(q))}`;
    const { body } = await app.service.get(path, token);
    return body.paginate.data[0].id;
  };
  const place = async (controller: string, name: string): Promise<string> =>
    `/${controller}/index?view=${await viewOf(controller, name)}`;

  beforeAll(async () => {
    app = await openApp();
    token = await app.service.login();
    const statuses = ["new", "new", "new", "contacted", "contacted", "qualified"];
    await addRows(
      app.service,
      "crm/leads",
      Array.from({ length: 24 }, (_, index) => ({
        first_name: "Ida",
        last_name: `Moss ${String(index).padStart(2, "0")}`,
        name: `Ida Moss ${String(index).padStart(2, "0")}`,
        company_name: "Fenwick Looms",
        status: statuses[index % 6],
        source: index % 3 === 0 ? "referral" : "web",
        score: "40",
        amount: "1000.00",
        next_follow_up: `2026-03-${String((index % 28) + 1).padStart(2, "0")}`,
      })),
    );
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("a bar leads to the records behind it, in a list that can be narrowed further", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, await place("crm/leads", "By status"));
    await picture(page, /By status, bar chart: Leads by Status.*Most: New, 12.*Least: Qualified, 4/).waitFor();
    const drawing = picture(page, /By status/);
    await expect.poll(() => drawing.locator("path[fill='#5558c4']").count()).toBeGreaterThanOrEqual(3);
    await drawing.locator("path[fill='#5558c4']").nth(1).click();
    await row(page, "Ida Moss").first().waitFor();
    expect(await count(page).textContent()).toBe("8");
    expect(JSON.parse(new URL(page.url()).searchParams.get("q") ?? "").where).toEqual([
      { "leads.status": "contacted" },
    ]);
    await page.goBack();
    await drawing.waitFor();
  });

  test("figures stand in a table by request, each a link to its records, with totals", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, await place("crm/leads", "By source"));
    await picture(page, /pie chart/).waitFor();
    await mark(page, "Web site").waitFor();
    await page.getByText("Figures", { exact: true }).click();
    const table = page.getByRole("table");
    expect(await table.getByRole("row", { name: /^Total/ }).textContent()).toBe("Total24");
    await table.getByRole("link", { name: "Referral" }).click();
    await row(page, "Ida Moss").first().waitFor();
    expect(await count(page).textContent()).toBe("8");
  });

  test("a line over months, a gauge and a map are drawn with the reader's formats", async () => {
    const page = await app.visit({ locale: "en-GB" });
    await enterQuickly(app, page, await place("crm/leads", "New leads by month"));
    await picture(page, /New leads by month, line chart: Leads per month \(Created\)/).waitFor();
    await mark(page, "2026").or(mark(page, "20")).first().waitFor();
    await page.goto(await place("crm/leads", "Average score"));
    await mark(page, "40").waitFor();
    await page.goto(await place("crm/leads", "By country"));
    await picture(page, /map/).locator("path").nth(150).waitFor({ state: "attached" });
  });

  test("one figure is shown large, and nothing to draw is said in words", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, await place("crm/opportunities", "Open amount"));
    await page.getByRole("region", { name: /Open amount/ }).waitFor();
    await page.goto(await place("crm/opportunities", "Pipeline"));
    await sees(page, /Nothing to draw yet|No opportunities/);
  });

  for (const colorScheme of ["light", "dark"] as const) {
    test(`is accessible in ${colorScheme}, wide and narrow`, { timeout: 240_000 }, async () => {
      const page = await app.visit({ colorScheme, reducedMotion: "reduce" });
      await enterQuickly(app, page, await place("crm/leads", "By status"));
      await mark(page, "Contacted").waitFor();
      await expectAccessible(page, true);
      await page.getByText("Figures", { exact: true }).click();
      await page.getByRole("table").waitFor();
      await expectAccessible(page, true);
      await page.setViewportSize({ width: 380, height: 760 });
      await page.getByText("Picture", { exact: true }).click();
      await mark(page, "Contacted").waitFor();
      await expectAccessible(page, false);
      await shoot(page, `picture-${colorScheme}-380`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(380);
    });
  }
});
