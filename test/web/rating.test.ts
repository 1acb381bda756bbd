// A rating from the designer to the list: designed, chosen in a form, changed in a cell, compared, grouped, on the keyboard alone.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type App, enterQuickly, expectAccessible, heading, openApp, sees, shoot } from "./app.ts";
import { inBrowser } from "./browser.ts";

inBrowser("ratings", () => {
  let app: App;
  let token: string;
  beforeAll(async () => {
    app = await openApp();
    token = await app.service.login();
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  const stars = (page: Page) => page.getByRole("radiogroup", { name: "Quality" });
  const cell = (page: Page, row: number, column: number) =>
    page.getByRole("grid").locator(`[data-place="${row}:${column}"]`);
  const stored = async () => {
    const q = encodeURIComponent(JSON.stringify({ fields: ["name", "quality"], order: ["name"] }));
    const { body } = await app.service.get(`/crm/reviews/index.json?q=${q}&track_open=0`, token);
    return body.paginate.data.map((row: Record<string, string>) => [row["reviews.name"], row["reviews.quality"]]);
  };

  test("a rating is designed, given, changed in the list, filtered and grouped by", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/administration?part=record_types");
    await page.getByRole("link", { name: "New record type" }).click();
    await page.getByLabel("Singular name").fill("Review");
    await page
      .getByLabel(/^Module/)
      .and(page.locator("input"))
      .first()
      .click();
    await page.getByRole("option", { name: "Sales" }).click();
    await page.getByRole("tab", { name: "Fields" }).click();
    await page.getByRole("button", { name: "Add field" }).click();
    const chooser = page.getByRole("dialog");
    await chooser.getByLabel("Find a type").fill("rating");
    await page.keyboard.press("Enter");
    await chooser.waitFor({ state: "detached" });
    await page.getByLabel("Label").fill("Quality");
    await page.getByLabel("Maximum").fill("7");
    // What new records start with has as many stars as the design says.
    await expect.poll(() => stars(page).getByRole("radio").count()).toBe(7);
    await page.getByRole("button", { name: "Create record type" }).click();
    await sees(page, "Reviews saved.");

    await page.goto("/crm/reviews/add");
    await page.getByLabel("Name").fill("Loom");
    await stars(page).getByRole("radio", { name: "3 of 7 stars" }).click();
    await expectAccessible(page);
    await shoot(page, "rating-form");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await heading(page, "Loom").waitFor();
    await page.getByText("3 of 7 stars").first().waitFor();

    // By keyboard: digits and arrows choose, Delete takes the choice back.
    await page.goto("/crm/reviews/add");
    await page.getByLabel("Name").fill("Spindle");
    await stars(page).getByRole("radio", { name: "1 of 7 stars" }).focus();
    await page.keyboard.press("6");
    await page.keyboard.press("ArrowRight");
    await expect
      .poll(() => stars(page).getByRole("radio", { checked: true }).getAttribute("aria-label"))
      .toBe("7 of 7 stars");
    await page.keyboard.press("Delete");
    await expect.poll(() => stars(page).getByRole("radio", { checked: true }).count()).toBe(0);
    await page.keyboard.press("5");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await heading(page, "Spindle").waitFor();
    expect(await stored()).toEqual([
      ["Loom", "3"],
      ["Spindle", "5"],
    ]);

    const query = { fields: ["reviews.name", "reviews.quality"], order: ["reviews.name ASC"] };
    const listviews = { name: "Rated", controller: "crm/reviews", query: JSON.stringify(query) };
    const data = { listviews, action: { save_progress: "Save" } };
    const { body } = await app.service.post("/core/listviews/add.json", { data }, token);
    await page.goto(`/crm/reviews/index?view=${body.id}`);
    await cell(page, 0, 1).getByText("3 of 7 stars").waitFor();
    await cell(page, 0, 1).dblclick();
    await cell(page, 0, 1).getByRole("radio", { name: "2 of 7 stars" }).click();
    await page.keyboard.press("Enter");
    await cell(page, 0, 1).getByText("2 of 7 stars").waitFor();
    await expect.poll(stored).toEqual([
      ["Loom", "2"],
      ["Spindle", "5"],
    ]);
    await expectAccessible(page);
    await shoot(page, "rating-list");

    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("textbox", { name: "Search fields" }).fill("qual");
    await page.getByRole("option", { name: "Quality" }).click();
    await page.getByRole("dialog").getByRole("radio", { name: "5 of 7 stars" }).click();
    await expect.poll(() => cell(page, 0, 0).textContent()).toBe("Spindle");

    await page.goto(`/crm/reviews/index?view=${body.id}`);
    await page.getByRole("columnheader", { name: "Quality" }).hover();
    await page.getByRole("button", { name: "Quality column menu", exact: true }).click();
    await page.getByRole("menuitem", { name: "Summarize by this column" }).click();
    await page.getByRole("row", { name: /2 of 7 stars.*1/ }).waitFor();
    await page.getByRole("row", { name: /5 of 7 stars.*1/ }).waitFor();
  });
});
