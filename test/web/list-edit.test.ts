// Editing in the table: a cell is chosen or edited, what is typed shows at once and can be undone, refusals and
// conflicts stay at the cell, a range of cells is copied, pasted and emptied.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { addRows } from "../http/people.ts";
import { type App, enterQuickly, expectAccessible, heading, openApp, sees, shoot } from "./app.ts";
import { inBrowser } from "./browser.ts";

const grid = (page: Page) => page.getByRole("grid");
const focusedPlace = (page: Page) =>
  page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement.dataset.place : undefined,
  );

inBrowser("editing in a list", () => {
  let app: App;
  let place: string;
  let ids: string[];
  let token: string;
  beforeAll(async () => {
    app = await openApp();
    token = await app.service.login();
    ids = await addRows(
      app.service,
      "crm/leads",
      Array.from({ length: 6 }, (_, index) => ({
        last_name: `Row ${index}`,
        name: `Row ${index}`,
        company_name: "Tarn Mills",
        status: "new",
        rating: "cold",
        score: String(index),
      })),
    );
    const fields = ["leads.name", "leads.company_name", "leads.score", "leads.rating", "leads.created"];
    const query = { fields: [...fields, "leads.owned_by.user_name"], order: ["leads.score ASC"] };
    const listviews = { name: "To edit", controller: "crm/leads", query: JSON.stringify(query) };
    const data = { listviews, action: { save_progress: "Save" } };
    const { body } = await app.service.post("/core/listviews/add.json", { data }, token);
    place = `/crm/leads/index?view=${body.id}`;
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  const cell = (page: Page, row: number, column: number) => grid(page).locator(`[data-place="${row}:${column}"]`);
  const stored = async (index: number) =>
    (await app.service.get(`/crm/leads/view.json?id=${ids[index]}`, token)).body.data.leads;
  const change = async (index: number, values: Record<string, string>) => {
    const data = { leads: { id: ids[index], ...values }, action: { save_progress: "Save" } };
    expect((await app.service.post("/crm/leads/edit.json", { data }, token)).body.errors).toEqual([]);
  };
  const open = async (page: Page) => {
    await enterQuickly(app, page, place);
    await cell(page, 5, 0).getByText("Row 5").waitFor();
  };

  test("edits by keyboard: Enter, Tab moves on, Esc leaves, Undo puts back", async () => {
    const page = await app.visit();
    await open(page);
    await cell(page, 1, 1).click();
    await expect.poll(() => focusedPlace(page)).toBe("1:1");
    await page.keyboard.press("Enter");
    const input = cell(page, 1, 1).getByRole("textbox", { name: "Company" });
    await input.fill("Nowhere");
    await page.keyboard.press("Escape");
    await expect.poll(() => focusedPlace(page)).toBe("1:1");
    await expect.poll(() => cell(page, 1, 1).textContent()).toBe("Tarn Mills");

    await page.keyboard.press("F2");
    await input.fill("Quillon Weavers");
    await page.keyboard.press("Tab");
    await cell(page, 1, 2).getByRole("textbox", { name: "Score" }).waitFor();
    await expect.poll(() => cell(page, 1, 1).textContent()).toBe("Quillon Weavers");
    await shoot(page, "cell-light-1280");
    await page.keyboard.press("Escape");
    await sees(page, "Company updated");
    expect((await stored(1)).company_name).toBe("Quillon Weavers");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await stored(1)).company_name).toBe("Tarn Mills");
    await cell(page, 1, 1).getByText("Tarn Mills").waitFor();

    // Two edits of one record go back one by one, and say which record it was.
    const fill = async (column: number, name: string, text: string) => {
      await cell(page, 1, column).dblclick();
      await cell(page, 1, column).getByRole("textbox", { name }).fill(text);
      await page.keyboard.press("Enter");
      await sees(page, `${name} updated`);
    };
    const before = await stored(1);
    await fill(1, "Company", "Brook Mills");
    await fill(2, "Score", "77");
    await page.keyboard.press("Control+z");
    await sees(page, "Undone: Score updated");
    await page.keyboard.press("Control+z");
    const { company_name, score } = before;
    await expect.poll(() => stored(1)).toMatchObject({ company_name, score });
    await sees(page, "Undone: Company updated");
    await page.getByRole("button", { name: /user menu$/ }).click();
    await page.getByRole("menuitem", { name: "Recent actions" }).click();
    const history = page.getByRole("dialog", { name: "Recent actions" });
    await history.getByText("Score updated · Row 1").waitFor();
    await page.keyboard.press("Escape");

    await cell(page, 2, 3).dblclick();
    await page.getByRole("option", { name: "Warm", exact: true }).click();
    await expect.poll(async () => (await stored(2)).rating).toBe("warm");
    await cell(page, 2, 3).getByText("Warm").waitFor();

    await cell(page, 0, 0).getByRole("link").click();
    await heading(page, "Row 0").waitFor();
  });

  test("says at the cell what is wrong, and why a cell cannot be edited; keeps what was typed where a save fails", async () => {
    const page = await app.visit();
    await open(page);
    await cell(page, 3, 2).click();
    await page.keyboard.press("Enter");
    await cell(page, 3, 2).getByRole("textbox").fill("500");
    await page.keyboard.press("Enter");
    await cell(page, 3, 2)
      .getByText(/at most 100/)
      .waitFor();
    expect(await cell(page, 3, 2).getByRole("textbox").inputValue()).toBe("500");
    await expectAccessible(page);
    await shoot(page, "cell-refused-light-1280");
    await page.keyboard.press("Escape");
    expect((await stored(3)).score).toBe("3");

    await cell(page, 3, 4).click();
    await page.keyboard.press("Enter");
    await sees(page, "Created is set automatically.");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await sees(page, "This value belongs to another record. Edit it there.");

    // What was typed is kept where a save fails while the next cell is edited already.
    await cell(page, 3, 2).click();
    await page.keyboard.press("Enter");
    await cell(page, 3, 2).getByRole("textbox").fill("700");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    await cell(page, 2, 1).dblclick();
    const other = cell(page, 2, 1).getByRole("textbox", { name: "Company" });
    await other.fill("Another");
    const alert = page.getByRole("alert").filter({ hasText: "1 cell not saved" });
    await alert.getByText(/Score of Row 3: “700”.*at most 100/).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await stored(2)).company_name).toBe("Another");
    expect(await cell(page, 3, 2).getAttribute("aria-invalid")).toBe("true");
    expect(await cell(page, 3, 2).textContent()).toBe("700");
    await expectAccessible(page);
    await shoot(page, "cell-held-light-1280");
    await alert.getByRole("button", { name: "Edit" }).click();
    const again = cell(page, 3, 2).getByRole("textbox", { name: "Score" });
    expect(await again.inputValue()).toBe("700");
    await again.fill("70");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await stored(3)).score).toBe("70");
    await alert.waitFor({ state: "detached" });
    await change(2, { company_name: "Tarn Mills" });
    await change(3, { score: "3" });
  });

  test("a block of a spreadsheet is shown, checked, saved and undone; a range is copied and emptied", async () => {
    const page = await app.visit();
    await open(page);
    const paste = (text: string) =>
      page.evaluate((given) => {
        const data = new DataTransfer();
        data.setData("text/plain", given);
        document.activeElement?.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
        );
      }, text);
    const copied = () =>
      page.evaluate(() => {
        const data = new DataTransfer();
        const event = new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true });
        document.activeElement?.dispatchEvent(event);
        return data.getData("text/plain");
      });
    await cell(page, 0, 1).click();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    expect(await grid(page).locator("[data-range]").count()).toBe(6);
    expect(await copied()).toBe("Tarn Mills\t0\tCold\nTarn Mills\t1\tCold");
    await cell(page, 3, 3).click({ modifiers: ["Shift"] });
    expect(await grid(page).locator("[data-range]").count()).toBe(12);
    await page.keyboard.press("Escape");
    expect(await grid(page).locator("[data-range]").count()).toBe(0);
    await page.keyboard.press("Control+a");
    expect((await copied()).split("\n")).toHaveLength(6);
    await page.keyboard.press("Escape");

    await cell(page, 0, 1).click();
    await paste('"Quill, Sons"\t50\twarm\tx\nTarn Mills\tlots\tHot\tx\nNew Mills\t1,000\tTepid\tx\n');
    const dialog = page.getByRole("dialog", { name: "Paste into 3 records" });
    await dialog.getByText("5 cells will change, 1 unchanged.").waitFor();
    await dialog.getByText("6 invalid cells will be skipped").waitFor();
    await dialog.getByText("Enter a number.").waitFor();
    await dialog.getByText(/at most 100/).waitFor();
    await dialog.getByText("Choose one of: Hot, Warm, Cold.").waitFor();
    expect(await dialog.getByText("Created is set automatically.").count()).toBe(3);
    await expectAccessible(page);
    await shoot(page, "paste-light-1280");
    await dialog.getByRole("button", { name: "Update 3 records" }).click();
    await sees(page, "3 records updated");
    // The list is sorted by score: the record goes to the end, and the focus with it.
    await expect.poll(() => focusedPlace(page)).toBe("5:1");
    expect(await stored(0)).toMatchObject({ company_name: "Quill, Sons", score: "50", rating: "warm" });
    expect(await stored(1)).toMatchObject({ company_name: "Tarn Mills", score: "1", rating: "hot" });
    await page.getByRole("button", { name: "Undo" }).click();
    await sees(page, "Change undone");
    expect(await stored(0)).toMatchObject({ company_name: "Tarn Mills", score: "0", rating: "cold" });

    await cell(page, 1, 3).click();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Delete");
    const emptied = page.getByRole("dialog", { name: "Clear cells in 2 records" });
    // The records are read by now, and one is changed before they are saved.
    await emptied.getByRole("button", { name: "Update 2 records" }).waitFor();
    await change(2, { job_title: "Miller" });
    await emptied.getByRole("button", { name: "Update 2 records" }).click();
    await page
      .getByRole("dialog", { name: "1 record not updated" })
      .getByText(/Someone else changed/)
      .waitFor();
    await shoot(page, "paste-failed-light-1280");
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Update 1 record" }).click();
    await expect.poll(async () => (await stored(2)).rating).toBe(null);
    await change(1, { rating: "cold" });
    await change(2, { rating: "cold" });
  });

  test("shows both values where somebody else was first, and saves beside changes of other fields", async () => {
    const page = await app.visit({ colorScheme: "dark" });
    await open(page);
    await cell(page, 4, 1).click();
    await page.keyboard.press("Enter");
    await cell(page, 4, 1).getByRole("textbox").fill("Mine");
    await change(4, { company_name: "Theirs" });
    await page.keyboard.press("Enter");
    const choice = cell(page, 4, 1).getByRole("alert");
    await choice.getByText("Theirs").last().waitFor();
    await expectAccessible(page);
    await shoot(page, "cell-conflict-dark-1280");
    expect((await stored(4)).company_name).toBe("Theirs");
    await choice.getByRole("button", { name: "Keep mine" }).click();
    await expect.poll(async () => (await stored(4)).company_name).toBe("Mine");

    await cell(page, 5, 1).click();
    await page.keyboard.press("Enter");
    await cell(page, 5, 1).getByRole("textbox").fill("Beside");
    await change(5, { job_title: "Weaver" });
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await stored(5)).company_name).toBe("Beside");
    expect((await stored(5)).job_title).toBe("Weaver");
  });
});
