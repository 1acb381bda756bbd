// Many records at once: selecting rows, editing and deleting them together with undo, work that goes on as a job, and the
// page of jobs.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { addRows } from "../http/people.ts";
import { type App, enterQuickly, expectAccessible, heading, openApp, sees, shoot } from "./app.ts";
import { inBrowser } from "./browser.ts";

const TOTAL = 1_300;

const grid = (page: Page) => page.getByRole("grid");
/** In the table, or on a card. */
const box = (page: Page, name: string) =>
  page.getByRole("main").getByRole("checkbox", { name: `Select ${name}`, exact: true });
const bar = (page: Page) => page.getByRole("toolbar", { name: "Selection" });
const lead = (index: number) => `Wren ${String(index).padStart(4, "0")}`;

inBrowser("many records at once", () => {
  let app: App;
  let place: string;
  beforeAll(async () => {
    app = await openApp();
    // Rows written past the wire are in no stage, and would each begin the workflow with their first save, one by one.
    await app.service.db.run(sql`
      update core__workflows set is_active = 0 where organization_id = 1 and controller = 'crm/leads'`);
    const q = { fields: ["leads.name", "leads.status", "leads.rating", "leads.score"], order: ["leads.last_name ASC"] };
    const listviews = { name: "Wrens", controller: "crm/leads", query: JSON.stringify(q) };
    const made = await app.service.post(
      "/core/listviews/add.json",
      { data: { listviews, action: { save_progress: "Save" } } },
      await app.service.login(),
    );
    place = `/crm/leads/index?view=${made.body.id}`;
    await addRows(
      app.service,
      "crm/leads",
      Array.from({ length: TOTAL }, (_, index) => ({ last_name: lead(index), name: lead(index), status: "new" })),
    );
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  const rated = async (rating: string): Promise<number> => {
    const row = await app.service.db.row(sql`
      select count(*)::text as count from crm__leads where organization_id = 1 and rating = ${rating} and deleted = 0`);
    return Number(row?.count);
  };

  const pickRating = async (page: Page, rating: string) => {
    await bar(page).getByRole("button", { name: "Edit…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Add field").click();
    await page.getByRole("option", { name: "Rating", exact: true }).click();
    await sees(page, "Will be cleared");
    await expect
      .poll(() => dialog.getByLabel("Rating", { exact: true }).evaluate((input) => input === document.activeElement))
      .toBe(true);
    await dialog.getByLabel("Rating", { exact: true }).click();
    await page.getByRole("option", { name: rating, exact: true }).click();
    return dialog;
  };

  test("rows are picked one by one, by range and by keyboard, edited together, and the edit is undone", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, place);
    await box(page, lead(0)).click();
    await box(page, lead(4)).click({ modifiers: ["Shift"] });
    await expect.poll(() => bar(page).getByRole("status").textContent()).toBe("5 selected");
    // How tall rows are makes no other list.
    await page.getByRole("button", { name: "Display" }).click();
    await page.getByText("Compact", { exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("q")).toContain("compact");
    await page.keyboard.press("Escape");
    await bar(page).getByText("5 selected").waitFor();
    await grid(page)
      .getByRole("gridcell", { name: lead(6), exact: true })
      .focus();
    await page.keyboard.press("x");
    await bar(page).getByText("6 selected").waitFor();
    await page.keyboard.press("x");
    await bar(page).getByText("5 selected").waitFor();
    await expectAccessible(page);
    await shoot(page, "bulk-selection");
    const dialog = await pickRating(page, "Hot");
    await expectAccessible(page);
    await shoot(page, "bulk-edit");
    await dialog.getByRole("button", { name: "Update 5 records" }).click();
    await sees(page, "5 leads updated");
    expect(await rated("hot")).toBe(5);
    await bar(page).waitFor({ state: "detached" });
    await grid(page)
      .getByRole("row")
      .filter({ hasText: lead(3) })
      .filter({ hasText: "Hot" })
      .waitFor();
    await shoot(page, "bulk-undo");
    await page.getByRole("button", { name: "Undo" }).click();
    await sees(page, "5 leads reverted");
    expect(await rated("hot")).toBe(0);
  });

  test("a range takes the rows between that were never in sight, and nothing else", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, place);
    await box(page, lead(2)).click();
    await grid(page).evaluate((scroller) => scroller.scrollTo({ top: scroller.scrollHeight }));
    await box(page, lead(TOTAL - 3)).click({ modifiers: ["Shift"] });
    await bar(page).getByText("1,296 selected").waitFor();
    expect(await box(page, lead(TOTAL - 3)).isChecked()).toBe(true);
    expect(await box(page, lead(TOTAL - 2)).isChecked()).toBe(false);
    // What was never drawn until now is among them.
    await grid(page).evaluate((scroller) => scroller.scrollTo({ top: scroller.scrollHeight / 2 }));
    await box(page, lead(650)).waitFor();
    expect(await box(page, lead(650)).isChecked()).toBe(true);
    await box(page, lead(650)).click();
    await bar(page).getByText("1,295 selected").waitFor();
    const dialog = await pickRating(page, "Cold");
    await dialog.getByRole("button", { name: "Update 1,295 records" }).click();
    await expect.poll(() => rated("cold")).toBe(1_295);
    const left = await app.service.db.run(sql`
      select name from crm__leads where organization_id = 1 and rating is null order by last_name`);
    expect(left.rows.flat()).toEqual([0, 1, 650, TOTAL - 2, TOTAL - 1].map(lead));
    await app.service.db.run(sql`update crm__leads set rating = null where organization_id = 1`);
  });

  test("a range by keyboard takes its rows, in the order that is shown, also where the list has changed since", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, `${place}&sort=leads.last_name&dir=DESC`);
    await grid(page)
      .getByRole("gridcell", { name: lead(TOTAL - 1), exact: true })
      .focus();
    await page.keyboard.press("Control+Shift+ArrowDown");
    await page.keyboard.press("Shift+Space");
    await bar(page).getByText("1,300 selected").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await bar(page).waitFor({ state: "detached" });
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("x");
    await bar(page).getByText("1 selected", { exact: true }).waitFor();
    // Somebody adds a record that comes before all others.
    const [added = ""] = await addRows(app.service, "crm/leads", [{ last_name: "Zorn", name: "Zorn", status: "new" }]);
    await page.keyboard.press("Control+End");
    const end = grid(page).locator("[role=row]:has(:focus)");
    const last = (await end.getByText(/^Wren 000[01]$/).textContent()) ?? "";
    await page.keyboard.press("Shift+X");
    // To the row that was shown last. Read anew since, that is the one before: the first one has moved down.
    const count = bar(page).getByText(/^1,29[89] selected$/);
    await count.waitFor();
    expect(await box(page, last).isChecked()).toBe(true);
    const taken = (await count.textContent()) === "1,299 selected" ? TOTAL - 1 : TOTAL - 2;
    const dialog = await pickRating(page, "Cold");
    await dialog.getByRole("button", { name: `Update ${taken.toLocaleString("en-US")} records` }).click();
    await expect.poll(() => rated("cold")).toBe(taken);
    const left = await app.service.db.run(sql`
      select name from crm__leads where organization_id = 1 and rating is null order by last_name`);
    const above = taken === TOTAL - 2 ? [lead(0)] : [];
    expect(left.rows.flat()).toEqual([...above, lead(TOTAL - 1), "Zorn"]);
    await app.service.post(`/crm/leads/delete.json?id=${added}&is_confirm=1`, {}, await app.service.login());
    await app.service.db.run(sql`update crm__leads set rating = null where organization_id = 1`);
  });

  test("deleting says how many, and what is deleted comes back with undo", async () => {
    const page = await app.visit({ viewport: { width: 380, height: 760 } });
    await enterQuickly(app, page, place);
    await page.getByRole("button", { name: "Select", exact: true }).click();
    await box(page, lead(1)).click();
    await box(page, lead(2)).click();
    await expectAccessible(page);
    await shoot(page, "bulk-selection-phone");
    await bar(page).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByText("Delete 2 records?").waitFor();
    await shoot(page, "bulk-delete-phone");
    await page.getByRole("dialog").getByRole("button", { name: "Delete 2 records" }).click();
    await sees(page, "2 leads deleted");
    await box(page, lead(1)).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await sees(page, "2 leads reverted");
    // What is said stands above what can be done next.
    await box(page, lead(1)).click();
    await bar(page).waitFor();
    const toast = await page.getByRole("alert").filter({ hasText: "2 leads reverted" }).boundingBox();
    const tools = await bar(page).boundingBox();
    expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(tools?.y ?? 0);
    await shoot(page, "bulk-toast-phone");
  });

  test("everything that matches, but for single rows, becomes a job, which goes on elsewhere, is told of, and is undone from the jobs page", async () => {
    const page = await app.visit({ colorScheme: "dark" });
    await enterQuickly(app, page, place);
    await box(page, lead(0)).click();
    await bar(page).getByRole("button", { name: "Select all 1,300" }).click();
    await bar(page).getByText("1,300 selected").waitFor();
    for (const index of [1, 2, 3]) await box(page, lead(index)).click();
    await bar(page).getByText("1,297 selected").waitFor();
    expect(await box(page, lead(0)).isChecked()).toBe(true);
    expect(await box(page, lead(1)).isChecked()).toBe(false);
    await shoot(page, "bulk-selection-dark");
    const dialog = await pickRating(page, "Warm");
    await dialog.getByRole("button", { name: "Update 1,297 records" }).click();
    await page.getByRole("button", { name: /user menu$/ }).click();
    await page.getByRole("menuitem", { name: "Jobs" }).click();
    await heading(page, "Jobs").waitFor();
    await sees(page, "Edit 1,297 leads: Done");
    const row = page.getByRole("row").filter({ hasText: "Edit 1,297 leads" });
    await row.getByText("1,297 of 1,297").last().waitFor();
    expect(await rated("warm")).toBe(TOTAL - 3);
    // One of them is out of reach by then: somebody deleted it.
    await app.service.db.run(
      sql`update crm__leads set deleted = 1 where organization_id = 1 and last_name = ${lead(9)}`,
    );
    await shoot(page, "jobs-dark");
    await row.getByRole("button", { name: "Undo: Edit 1,297 leads" }).click();
    await sees(page, "Undo changes to 1,297 leads: Done, 1 failed");
    expect(await rated("warm")).toBe(0);
    const undone = page.getByRole("row").filter({ hasText: "Undo changes to 1,297 leads" });
    await undone.getByRole("button", { name: "Details: Undo changes to 1,297 leads" }).click();
    await page.getByRole("dialog").getByText("This record is deleted. Restore it before you edit it").waitFor();
    await shoot(page, "jobs-failures-dark");
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 320, height: 640 });
    // What can be done is in sight: nothing lies beside the screen.
    const beside = (list: HTMLElement) =>
      Number(list.parentElement?.scrollWidth) - Number(list.parentElement?.clientWidth);
    expect(await page.locator("main table").evaluate(beside)).toBe(0);
    await page.setViewportSize({ width: 380, height: 760 });
    await shoot(page, "jobs-phone-dark");
  });
});
