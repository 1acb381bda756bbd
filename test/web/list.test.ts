// The list: rows by page as they come into sight, views, search, sort, widths, the keyboard, export, and what the
// address holds.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { addPerson, addRows } from "../http/people.ts";
import { type App, enterQuickly, follow, heading, openApp, sees, shoot, untilQuiet } from "./app.ts";
import { inBrowser } from "./browser.ts";

const TOTAL = 450;
const bare = "/crm/leads/index";

const focusedPlace = (page: Page) =>
  page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement.dataset.place : undefined,
  );

const grid = (page: Page) => page.getByRole("grid");
const count = (page: Page) => page.getByRole("main").getByRole("status").first();
const row = (page: Page, name: string | RegExp) => grid(page).getByRole("row").filter({ hasText: name });

inBrowser("the list", () => {
  let app: App;
  /** The list in its default view, whichever was used last. */
  let place: string;
  beforeAll(async () => {
    app = await openApp();
    const { body } = await app.service.get(`${bare}.json?track_open=0`, await app.service.login());
    place = `${bare}?view=${body.listview_id}`;
    const statuses = ["new", "contacted", "qualified"];
    await addPerson(app.service, "marketing", ["marketing"]);
    await addRows(
      app.service,
      "crm/leads",
      Array.from({ length: TOTAL }, (_, index) => ({
        first_name: "Nia",
        last_name: `Vale ${String(index).padStart(3, "0")}`,
        name: `Nia Vale ${String(index).padStart(3, "0")}`,
        company_name: index === 7 ? "Quillon Weavers" : "Tarn Mills",
        status: statuses[index % 3],
        score: String(index % 100),
        amount: "1200.50",
        email: `nia${index}@tarn.example`,
        next_follow_up: "2026-03-09",
      })),
    );
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("shows the rows with labels, aligned numbers and totals, and says how many", async () => {
    const page = await app.visit();
    const query = {
      fields: ["leads.name", "leads.company_name", "leads.status", "leads.amount"],
      order: ["leads.last_name DESC"],
      columns: { "leads.amount": { compute_column_total: "1" } },
    };
    const listviews = { name: "Sums", controller: "crm/leads", query: JSON.stringify(query) };
    const made = await app.service.post(
      "/core/listviews/add.json",
      { data: { listviews, action: { save_progress: "Save" } } },
      await app.service.login(),
    );
    await enterQuickly(app, page, `${bare}?view=${made.body.id}`);
    await heading(page, "Leads").waitFor();
    await row(page, /Nia Vale 4\d\d/)
      .first()
      .waitFor();
    await expect.poll(() => count(page).textContent()).toBe("450");
    const first = row(page, /Nia Vale 449/);
    expect(await first.textContent()).toMatch(/Tarn Mills.*Qualified.*1,200\.50/);
    // Nobody said in which currency: it is the organization's.
    await row(page, /Nia Vale 449.*\$1,200\.50/).waitFor();
    // The service may still be adding up when it answers first.
    await row(page, "540,225.00").waitFor();
    const align = await grid(page)
      .getByRole("gridcell")
      .filter({ hasText: "1,200.50" })
      .first()
      .evaluate((cell) => getComputedStyle(cell).textAlign);
    expect(align).toBe("end");
    await expect.poll(() => page.title()).toBe("Leads · Dossier");
  });

  test("fetches pages as they come into sight, only those, and gives up what nobody waits for any more", async () => {
    const page = await app.visit();
    const pages: string[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      const asked = url.searchParams.get("page");
      if (url.pathname === "/crm/leads/index.json" && asked !== null) pages.push(asked);
    });
    await enterQuickly(app, page, `${place}&sort=leads.last_name`);
    await row(page, /Vale 000/).waitFor();
    expect([...new Set(pages)]).toEqual(["1"]);
    await grid(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await row(page, /Vale 449/).waitFor();
    expect([...new Set(pages)].sort()).toEqual(["1", "5"]);
    expect(await grid(page).getByRole("row").count()).toBeLessThan(60);
    expect(await grid(page).getAttribute("aria-rowcount")).toBe(String(TOTAL + 1));

    // What nobody waits for any more is given up: the pages scrolled past, the words typed over.
    await untilQuiet(page);
    const asked = new Map<string, "asked" | "given up">();
    const nameOf = (url: string): string => {
      const { searchParams } = new URL(url);
      return searchParams.get("search_basic") ?? searchParams.get("page") ?? "";
    };
    page.on("requestfailed", (request) => asked.set(nameOf(request.url()), "given up"));
    // None of them is answered for now.
    await page.route(/leads\/index\.json/u, async (route) => {
      const name = nameOf(route.request().url());
      asked.set(name, "asked");
      if (name === "5" || name === "quillon") await route.continue();
    });
    await grid(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight * 0.5 }));
    await expect.poll(() => asked.get("3")).toBe("asked");
    await grid(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await row(page, /Vale 449/).waitFor();
    await expect.poll(() => asked.get("3")).toBe("given up");
    await page.getByRole("searchbox").fill("qui");
    await expect.poll(() => asked.get("qui")).toBe("asked");
    await page.getByRole("searchbox").fill("quillon");
    await row(page, /Quillon Weavers/).waitFor();
    await expect.poll(() => asked.get("qui")).toBe("given up");
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("keeps view, search and sort in the address, the width of a column in the browser, and comes back to the last view", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, place);
    const header = grid(page).getByRole("columnheader", { name: "Company" });
    await header.waitFor();
    const width = async () => Math.round((await header.boundingBox())?.width ?? 0);
    const before = await width();
    const box = await grid(page).locator('[data-resizes="Company"]').boundingBox();
    if (box === null) throw new Error("there is no edge to drag");
    await page.mouse.move(box.x + 4, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 64, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => width()).toBe(before + 60);

    await page.getByRole("button", { name: "Score", exact: true }).click();
    await grid(page).locator("[aria-sort=ascending]").waitFor();
    await page.getByRole("button", { name: "Score", exact: true }).click();
    await grid(page).locator("[aria-sort=descending]").waitFor();
    await page.getByRole("searchbox").fill("quillon");
    await row(page, /Quillon Weavers/).waitFor();
    await expect.poll(() => count(page).textContent()).toBe("1");
    const url = new URL(page.url());
    expect(url.searchParams.get("search")).toBe("quillon");
    expect([url.searchParams.get("sort"), url.searchParams.get("dir")]).toEqual(["leads.score", "DESC"]);
    expect(url.searchParams.get("view")).toMatch(/^[0-9a-f-]{36}$/);
    await page.reload();
    await row(page, /Quillon Weavers/).waitFor();
    await expect.poll(() => width()).toBe(before + 60);

    // The same link shows the same to somebody who has never been here.
    await app.leave();
    const colleague = await app.visit();
    await enterQuickly(app, colleague, url.href);
    await row(colleague, /Quillon Weavers/).waitFor();
    await expect.poll(() => colleague.getByRole("searchbox").inputValue()).toBe("quillon");
    await grid(colleague).locator("[aria-sort=descending]").waitFor();

    const views = colleague.getByRole("navigation", { name: "Views" });
    const current = () => views.locator("[aria-current=page]").textContent();
    await colleague.getByRole("button", { name: "View: All leads" }).click();
    await colleague.getByText("Charts", { exact: true }).waitFor();
    await colleague.getByRole("textbox", { name: "Search views" }).fill("by st");
    await colleague.getByRole("menuitemradio", { name: "By status", exact: true }).click();
    await colleague.getByRole("img", { name: /By status, bar chart/ }).waitFor();
    await expect.poll(current).toBe("By status");
    await colleague.goto(bare);
    await expect.poll(current).toBe("By status");
    await views.getByRole("link", { name: "All leads" }).click();
    await row(colleague, /Nia Vale/)
      .first()
      .waitFor();
  });

  test("is walked by keyboard: one tab stop, arrows, J and K, Enter opens", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, `${place}&sort=leads.last_name`);
    await row(page, /Vale 000/).waitFor();
    await page.keyboard.press("j");
    await expect.poll(() => focusedPlace(page)).toBe("0:0");
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => focusedPlace(page)).toBe("1:1");
    await page.keyboard.press("Control+End");
    await row(page, /Vale 449/).waitFor();
    await expect.poll(() => focusedPlace(page)).toMatch(/^449:/);
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    for (const words of [
      "Next row",
      "Select a range of cells",
      "Paste cells, including from a spreadsheet",
      "New lead",
    ]) {
      await sheet.getByText(words, { exact: true }).waitFor();
    }
    await shoot(page, "list-shortcuts-1280");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await expect.poll(() => focusedPlace(page)).toMatch(/^449:/);
    await page.keyboard.press("Control+Home");
    await expect.poll(() => focusedPlace(page)).toBe("0:0");
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => focusedPlace(page)).toBe("-1:0");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await grid(page).locator('[tabindex="0"]').count()).toBe(1);
    await page.keyboard.press("Enter");
    await heading(page, "Nia Vale 001").waitFor();
    expect(new URL(page.url()).pathname).toBe("/crm/leads/view");
  });

  test("follows every key, also one between a redraw and what React does after it", async () => {
    const page = await app.visit();
    // React does one thing at a time, and a key can be pressed before each.
    await page.addInitScript(() => {
      Object.assign(window, { beforeTask: undefined, setImmediate });
      function setImmediate(task: () => void): void {
        setTimeout(() => {
          (window as unknown as { beforeTask?: () => void }).beforeTask?.();
          setTimeout(task);
        });
      }
    });
    await enterQuickly(app, page, place);
    await row(page, /Nia Vale/)
      .first()
      .waitFor();
    await page.keyboard.press("j");
    await expect.poll(() => focusedPlace(page)).toBe("0:0");
    const followed = await page.evaluate(
      () =>
        new Promise<boolean[]>((resolve) => {
          const seen: boolean[] = [];
          const here = () => (document.activeElement as HTMLElement).dataset.place;
          let isDrawn = false;
          let expected: string | undefined;
          const beforeTask = () => {
            if (expected !== undefined) seen.push(here() === expected);
            expected = undefined;
            if (seen.length === 6) return resolve(seen);
            // The first task draws; the second is what comes after it.
            isDrawn = !isDrawn;
            if (isDrawn) return;
            expected = here() === "0:0" ? "0:1" : "0:0";
            const key = expected === "0:1" ? "ArrowRight" : "ArrowLeft";
            document.activeElement?.dispatchEvent(
              new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
            );
          };
          Object.assign(window, { beforeTask });
          // Scrolling ends with a redraw that nobody waits for.
          const scroller = document.querySelector("[role=grid]");
          const scroll = () => {
            if (scroller) scroller.scrollTop = scroller.scrollTop === 0 ? 40 : 0;
            if (seen.length < 6) setTimeout(scroll, 300);
          };
          scroll();
        }),
    );
    expect(followed).not.toContain(false);
  });

  test("exports what it shows; teaches when there is nothing; says what is wrong with an address, and tries again", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, `${place}&search=quillon`);
    await row(page, /Quillon/).waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Export as CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^All leads .*\.csv$/);

    await follow(page, `${place}&search=zzzz`);
    await page.getByRole("heading", { name: "No leads match “zzzz”" }).waitFor();
    await page.getByRole("button", { name: "Clear search" }).click();
    await row(page, /Nia Vale/)
      .first()
      .waitFor();
    await follow(page, "/crm/opportunities/index");
    await page.getByRole("heading", { name: /^No opportunities/ }).waitFor();
    await page.getByRole("main").getByRole("link", { name: /^New/ }).first().waitFor();

    await follow(page, `${place}&sort=leads.nonsense`);
    await page.getByRole("heading", { name: "This view can't be displayed" }).waitFor();
    await sees(page, /nonsense/);
    await page.getByRole("button", { name: "Open the saved view" }).click();
    await row(page, /Nia Vale/)
      .first()
      .waitFor();

    // A link of somebody who sees more: the rest of it is shown.
    const { body } = await app.service.get("/crm/opportunities/index.json?track_open=0", await app.service.login());
    const where = { "opportunities.amount": { op: ">", value: 1 } };
    const q = { fields: ["opportunities.name", "opportunities.amount"], where };
    await app.leave();
    const colleague = await app.visit();
    const link = `/crm/opportunities/index?view=${body.listview_id}&q=${encodeURIComponent(JSON.stringify(q))}`;
    await enterQuickly(app, colleague, link, "marketing");
    await sees(colleague, /opportunities\.amount is not a column/);
    await shoot(colleague, "list-refused-1280");
    await colleague.getByRole("button", { name: "Show without it" }).click();
    await expect
      .poll(() => JSON.parse(new URL(colleague.url()).searchParams.get("q") ?? "{}"))
      .toEqual({ fields: ["opportunities.name"] });
    await sees(colleague, "No opportunities");
  });
});
