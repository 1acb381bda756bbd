// What can be done with a list: the filter builder, columns, groups, views as drafts until they are saved.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { addPerson, addRows, type Person } from "../http/people.ts";
import { type App, enterQuickly, expectAccessible, openApp, sees, shoot } from "./app.ts";
import { inBrowser } from "./browser.ts";

const TOTAL = 60;
const grid = (page: Page) => page.getByRole("grid");
const count = (page: Page) => page.getByRole("main").getByRole("status").first();
const row = (page: Page, name: string | RegExp) => grid(page).getByRole("row").filter({ hasText: name });
const draftOf = (page: Page) => JSON.parse(new URL(page.url()).searchParams.get("q") ?? "null");
const chips = (page: Page) => page.getByRole("list", { name: "Filters" }).getByRole("listitem");
/** Of the view that is shown. */
const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Views" }).locator("[aria-current=page]").filter({ hasText: name });
const option = (page: Page, name: string) => page.getByRole("option", { name, exact: true });

inBrowser("the tools of a list", () => {
  let app: App;
  let place: string;
  let otto: Person;
  let uli: Person;
  beforeAll(async () => {
    app = await openApp();
    const { body } = await app.service.get("/crm/leads/index.json?track_open=0", await app.service.login());
    place = `/crm/leads/index?view=${body.listview_id}`;
    await addPerson(app.service, "vera", ["sales_rep"]);
    otto = await addPerson(app.service, "otto", ["sales_rep"]);
    uli = await addPerson(app.service, "uli", ["sales_rep"]);
    const statuses = ["new", "contacted", "qualified"];
    await addRows(
      app.service,
      "crm/leads",
      Array.from({ length: TOTAL }, (_, index) => ({
        last_name: `Vale ${index}`,
        name: `Nia Vale ${String(index).padStart(2, "0")}`,
        company_name: index === 7 ? "Quillon Weavers" : "Tarn Mills",
        status: statuses[index % 3],
        score: String(index),
        amount: "100.00",
        next_follow_up: "2026-03-09",
      })),
    );
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  const open = async (page: Page, more = "") => {
    await enterQuickly(app, page, `${place}${more}`);
    await row(page, /Nia Vale/)
      .first()
      .waitFor();
    // The tools, and their keys, wait for the view that the rows may come without.
    await page.getByRole("button", { name: "Filter", exact: true, disabled: false }).waitFor();
  };

  test("builds a filter that reads as a sentence, nests groups, and stands in the address", async () => {
    const page = await app.visit();
    await open(page);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    // Fields of the business first, those of the service last, under a heading of their own.
    const offered = await page.getByRole("option").allTextContents();
    expect(offered.slice(0, 2)).toEqual(["Owned by", "Current stage"]);
    expect(offered.indexOf("Modified by")).toBeGreaterThan(offered.indexOf("Description"));
    await page.getByText("System fields", { exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Search fields" }).fill("stat");
    await option(page, "Status").click();
    // The condition is edited at its chip, which says it as a sentence.
    const editor = page.getByRole("dialog");
    await editor.getByRole("button", { name: "New", exact: true }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Space");
    await expect.poll(() => count(page).textContent()).toBe("20");
    await editor.getByRole("button", { name: "Contacted", exact: true }).click();
    await expect.poll(() => count(page).textContent()).toBe("40");
    await expectAccessible(page);
    await shoot(page, "chip-light-1280");
    await page.keyboard.press("Escape");
    await editor.waitFor({ state: "detached" });
    await expect.poll(() => chips(page).allTextContents()).toEqual(["Status is any of New or Contacted"]);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    expect(await focused()).toBe("Status is any of New or Contacted");
    // What is not finished leaves nothing behind.
    await page.keyboard.press("f");
    await page.getByRole("textbox", { name: "Search fields" }).fill("scor");
    await option(page, "Score").click();
    await editor.getByLabel("Value for Score").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => chips(page).count()).toBe(1);
    expect(await focused()).toBe("Filter");
    // Nothing out of sight makes the page longer than the window.
    expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0);

    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await option(page, "Advanced filter").click();
    const panel = page.getByRole("region", { name: "Filter" });
    const add = (index = 0) => panel.getByRole("button", { name: "Add condition" }).nth(index);
    await panel.getByRole("button", { name: "Add group" }).click();
    await add(0).click();
    await page.getByRole("textbox", { name: "Search fields" }).fill("scor");
    await option(page, "Score").click();
    await panel.getByLabel("Operator for Score").click();
    await option(page, "is at least").click();
    await panel.getByLabel("Value for Score").fill("150");
    await expect.poll(() => count(page).textContent()).toBe("0");
    await sees(page, "No leads match these filters");
    await panel.getByLabel("Value for Score").fill("50");
    await expect.poll(() => count(page).textContent()).toBe("6");
    await add(0).click();
    await page.getByRole("textbox", { name: "Search fields" }).fill("company");
    await option(page, "Company").click();
    await panel.getByLabel("Value for Company").fill("quillon");
    await expect.poll(() => count(page).textContent()).toBe("7");
    expect(draftOf(page).where).toEqual([
      { "leads.status": { op: "in", value: ["new", "contacted"] } },
      {
        OR: [
          { "leads.score": { op: ">=", value: "50" } },
          { "leads.company_name": { op: "contains", value: "quillon" } },
        ],
      },
    ]);
    await shoot(page, "filter-light-1280");

    const link = page.url();
    await app.leave();
    const colleague = await app.visit({ colorScheme: "dark", viewport: { width: 380, height: 760 } });
    await enterQuickly(app, colleague, link);
    await expect.poll(() => count(colleague).textContent()).toBe("7");
    await expect
      .poll(() => chips(colleague).allTextContents())
      .toEqual(["Status is any of New or Contacted", "Score is at least 50 or Company contains quillon"]);
    // On a phone the rows are cards.
    const cards = colleague.getByRole("list", { name: /^Leads: / });
    await cards
      .getByRole("link", { name: /Nia Vale/ })
      .first()
      .waitFor();
    await colleague.getByRole("button", { name: "Select", exact: true }).click();
    await cards.getByRole("checkbox", { name: /Nia Vale 07/ }).check();
    await colleague.getByRole("toolbar", { name: "Selection" }).getByText("1 selected").waitFor();
    await shoot(colleague, "cards-dark-380");
    await colleague.getByRole("button", { name: "Done", exact: true }).click();
    await chips(colleague).first().getByRole("button", { name: "Status" }).click();
    await colleague.getByRole("dialog").waitFor();
    await colleague.keyboard.press("Escape");
    await chips(colleague).nth(1).getByRole("button", { name: "Score" }).click();
    await colleague.getByRole("region", { name: "Filter" }).waitFor();
    await expectAccessible(colleague);
    await shoot(colleague, "filter-dark-380");
    expect(await colleague.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(380);
    await colleague.getByRole("button", { name: "Close filters" }).click();
    await chips(colleague).nth(1).getByRole("button", { name: "Remove filter" }).click();
    await expect.poll(() => count(colleague).textContent()).toBe("40");
  });

  test("knows me, days relative to today, and fields by way of associations", async () => {
    const page = await app.visit();
    const where = [
      { "leads.created": { op: "between", value: ["{{TODAY}}-30d", "{{TODAY}}+1d-1s"] } },
      { "leads.owned_by": "{{CURRENT_USER}}" },
      { NOT: { AND: [{ "leads.next_follow_up": { op: ">", value: "{{TODAY}}-7d" } }] } },
    ];
    await enterQuickly(app, page, `${place}&q=${encodeURIComponent(JSON.stringify({ where }))}`);
    await expect
      .poll(() => chips(page).allTextContents())
      .toEqual(["Created is in last 30 days", "Owned by is Me", "not (Next follow-up is after 7 days ago)"]);
    await chips(page).nth(2).getByRole("button", { name: "Next follow-up" }).click();
    const panel = page.getByRole("region", { name: "Filter" });
    await panel.getByRole("button", { name: "Remove condition on Created" }).click();
    await panel.getByRole("button", { name: "Remove group" }).click();
    await panel.getByRole("button", { name: "Remove condition on Owned by" }).click();
    await expect.poll(() => count(page).textContent()).toBe(String(TOTAL));

    await panel.getByRole("button", { name: "Add condition" }).click();
    await page.getByRole("textbox", { name: "Search fields" }).fill("country › name");
    await page.keyboard.press("Escape");
    await panel.getByRole("button", { name: "Add condition" }).click();
    await option(page, "Owned by").last().click();
    await page.getByRole("textbox", { name: "Search fields" }).fill("user name");
    await option(page, "User name").click();
    await panel.getByLabel("Value for Owned by › User name").fill("nobody");
    await expect.poll(() => count(page).textContent()).toBe("0");
    expect(draftOf(page).where).toEqual([{ "leads.owned_by.user_name": { op: "contains", value: "nobody" } }]);

    await panel.getByRole("button", { name: /^Field: / }).click();
    await page.getByRole("textbox", { name: "Search fields" }).fill("next");
    await option(page, "Next follow-up").click();
    await panel.getByLabel("Value for Next follow-up").click();
    await option(page, "Last year").click();
    await expect
      .poll(() => draftOf(page).where[0]["leads.next_follow_up"].value)
      .toEqual(["{{THIS_YEAR}}-1y", "{{THIS_YEAR}}-1d"]);
  });

  test("says at the filter, in words, what the service does not take", async () => {
    const page = await app.visit();
    await open(page);
    await page.keyboard.press("f");
    await page.getByRole("textbox", { name: "Search fields" }).fill("score");
    await option(page, "Score").click();
    const editor = page.getByRole("dialog");
    await editor.getByLabel("Value for Score").fill("many");
    await editor.getByText(/leads\.score: "many" must be a whole number/).waitFor();
    await editor.getByLabel("Value for Score").fill("5");
    await row(page, /Nia Vale 05/).waitFor();
    await page.keyboard.press("Enter");
    await editor.waitFor({ state: "detached" });

    // The order is in sight: turned, added to and taken off there.
    await page.getByRole("button", { name: "Remove filter" }).click();
    const order = () => page.locator("[data-sort]").getAttribute("aria-label");
    await expect.poll(order).toBe("Sorted by created, newest first");
    await page.locator("[data-sort]").click();
    await page.getByRole("button", { name: "Created: newest first. Reverse order" }).click();
    await expect.poll(order).toBe("Sorted by created, oldest first");
    await page.getByRole("button", { name: "Add sort" }).click();
    await page.getByRole("textbox", { name: "Search fields" }).fill("score");
    await option(page, "Score").click();
    await expect.poll(order).toBe("Sorted by created, oldest first, and 1 more field");
    await page.getByRole("button", { name: "Remove sort by Created" }).click();
    await expect.poll(() => draftOf(page)?.order).toEqual(["leads.score ASC"]);
    await row(page, /Nia Vale 00/).waitFor();
    await page.getByRole("button", { name: "Score: lowest first. Reverse order" }).click();
    await row(page, /Nia Vale 59/).waitFor();
  });

  const labels = (page: Page) =>
    grid(page)
      .getByRole("columnheader")
      .evaluateAll((cells) => cells.flatMap((cell) => cell.querySelector("[data-place] span")?.textContent ?? []));
  const header = (page: Page, name: string) => grid(page).getByRole("columnheader", { name }).first();
  const menuOf = async (page: Page, name: string, item: string) => {
    await header(page, name).hover();
    await page.getByRole("button", { name: `${name} column menu`, exact: true }).click();
    await page.getByRole("menuitem", { name: item, exact: true }).click();
  };

  test("resizes and moves columns by keyboard, moves them by dragging, hides, shows, pins and totals them", async () => {
    const page = await app.visit();
    await open(page);
    const width = async (name: string) => Math.round((await header(page, name).boundingBox())?.width ?? 0);
    const [company, first] = [await width("Company"), await width("Full name")];
    await page.getByRole("button", { name: "Company", exact: true }).click();
    await page.keyboard.press("Alt+ArrowRight");
    await expect.poll(async () => [await width("Company"), await width("Full name")]).toEqual([company + 16, first]);
    const at = (await labels(page)).indexOf("Company");
    await page.keyboard.press("Alt+Shift+ArrowRight");
    await expect.poll(async () => (await labels(page)).indexOf("Company")).toBe(at + 1);
    await expect.poll(() => draftOf(page)?.fields?.[at + 1]).toBe("leads.company_name");
    // It keeps the focus, and is moved on.
    await header(page, "Company").locator(":focus").waitFor();
    await page.keyboard.press("Alt+Shift+ArrowRight");
    await expect.poll(async () => (await labels(page)).indexOf("Company")).toBe(at + 2);
    await page.keyboard.press("Alt+Shift+ArrowLeft");
    await expect.poll(async () => (await labels(page)).indexOf("Company")).toBe(at + 1);
    // What drags them is fetched after the list is drawn.
    await header(page, "Score").and(page.locator("[draggable=true]")).waitFor();
    await header(page, "Score").dragTo(header(page, "Company"), { targetPosition: { x: 10, y: 15 } });
    await expect.poll(async () => (await labels(page)).slice(at, at + 3).slice(-2)).toEqual(["Score", "Company"]);

    await menuOf(page, "Company", "Hide column");
    await expect.poll(() => labels(page)).not.toContain("Company");
    await menuOf(page, "Score", "Show total");
    await row(page, "1,770").waitFor();
    await menuOf(page, "Status", "Freeze column");
    await expect.poll(async () => (await labels(page)).slice(0, 2)).toEqual(["Full name", "Status"]);
    await grid(page).evaluate((element) => element.scrollTo({ left: 400 }));
    const [frame, cell] = [await grid(page).boundingBox(), await header(page, "Status").boundingBox()];
    expect((cell?.x ?? 0) - (frame?.x ?? 0)).toBeLessThan(300);

    await page.getByRole("button", { name: "Columns", exact: true }).click();
    // Ticks show at once, and two in a row are two.
    await page.getByRole("textbox", { name: "Search columns" }).fill("c");
    await page.getByRole("checkbox", { name: "Campaign" }).click();
    expect(await page.getByRole("checkbox", { name: "Campaign" }).isChecked()).toBe(true);
    await page.getByRole("checkbox", { name: "City", exact: true }).click();
    expect(await page.getByRole("checkbox", { name: "City", exact: true }).isChecked()).toBe(false);
    await expect.poll(() => labels(page)).toContain("Campaign");
    await expect.poll(() => labels(page)).not.toContain("City");
    await expectAccessible(page);
    await shoot(page, "columns-light-1280");
    await page.getByRole("button", { name: "Related records" }).click();
    await page.getByRole("textbox", { name: "Search fields" }).fill("user name");
    await page.getByRole("option", { name: /^Owned by › User name$/ }).click();
    await expect.poll(async () => (await labels(page)).at(-1)).toBe("User name");
    await expect.poll(() => draftOf(page)?.fields).toContain("leads.owned_by.user_name");

    await page.getByRole("button", { name: "Columns", exact: true }).click();
    await menuOf(page, "Score", "Filter by this column");
    await page.getByLabel("Value for Score").fill("59");
    await expect.poll(() => count(page).textContent()).toBe("1");
  });

  test("lists its rows without groups, and says so, where the field of the groups is gone", async () => {
    const page = await app.visit();
    const unfit = page.getByText("The grouping of this view no longer fits its field and is ignored.");
    await open(page);
    expect(await unfit.count()).toBe(0);
    const url = new URL(page.url());
    url.searchParams.set("q", JSON.stringify({ sections: ["leads.nowhere"] }));
    await page.goto(url.href);
    await unfit.waitFor();
    await row(page, /Nia Vale/)
      .first()
      .waitFor();
  });

  test("groups rows in sections that fold, and sums them up by a field and a period", async () => {
    const page = await app.visit();
    await open(page);
    const asked: string[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.pathname === "/crm/leads/index.json") asked.push(url.searchParams.get("q") ?? "");
    });
    const section = (name: RegExp) => grid(page).getByRole("button", { name });
    await menuOf(page, "Status", "Group by this column");
    await section(/^New\s*20$/).click({ modifiers: ["Alt"] });
    await section(/^Qualified\s*20$/).waitFor();
    await expect.poll(() => row(page, /Nia Vale/).count()).toBe(0);
    expect(await grid(page).getByRole("button", { expanded: false }).allTextContents()).toEqual([
      "New20",
      "Contacted20",
      "Qualified20",
    ]);
    await row(page, /Contacted.*2,000/).waitFor();
    await section(/^Contacted/).click();
    await row(page, /Nia Vale.*Contacted/)
      .first()
      .waitFor();
    // One call for all groups, and one for each that was opened.
    expect(asked.filter((q) => q.startsWith('{"group"'))).toHaveLength(1);
    const opened = asked.filter((q) => q.startsWith('{"where"'));
    expect(opened).toContain(JSON.stringify({ where: { "leads.status": "contacted" } }));
    expect(new Set(opened).size).toBe(opened.length);
    expect(asked).toHaveLength(opened.length + 2);
    expect(draftOf(page).sections).toEqual(["leads.status"]);
    await expectAccessible(page);
    await shoot(page, "sections-light-1280");
    await page.reload();
    // What is folded stays so.
    await row(page, /Nia Vale.*Contacted/)
      .first()
      .waitFor();
    expect(await section(/^New/).getAttribute("aria-expanded")).toBe("false");
    await section(/^Qualified/).click();
    // A range goes from section to section, and takes no head.
    await grid(page).getByRole("checkbox").nth(1).click();
    await grid(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await row(page, /Nia Vale.*Qualified/)
      .last()
      .getByRole("checkbox")
      .click({ modifiers: ["Shift"] });
    await page.getByRole("toolbar", { name: "Selection" }).getByText("40 selected").waitFor();
    await page.getByRole("button", { name: "Reset", exact: true }).click();
    await menuOf(page, "Status", "Summarize by this column");
    await expect.poll(() => labels(page)).toEqual(["Status", "Count"]);
    const panel = page.getByRole("region", { name: "Summary" });
    await panel.getByRole("button", { name: "Add metric" }).click();
    await page.getByRole("textbox", { name: "Search fields" }).fill("amount");
    await option(page, "Estimated amount").click();
    await row(page, /Contacted.*20.*2,000/).waitFor();
    await row(page, /Total.*60.*6,000/).waitFor();
    await panel.getByLabel("Metric for Estimated amount").click();
    await option(page, "Average estimated amount").click();
    await row(page, /Contacted.*20.*100/).waitFor();
    await panel.getByRole("button", { name: "Then by" }).click();
    await page.getByRole("textbox", { name: "Search fields" }).fill("next");
    await option(page, "Next follow-up").click();
    await panel.getByLabel("Period of Next follow-up").click();
    await option(page, "Quarter").click();
    await expect.poll(() => draftOf(page)?.group).toEqual(["leads.status", "quarter(leads.next_follow_up)"]);
    await row(page, /Contacted.*2026/).waitFor();
    await expectAccessible(page);
    await shoot(page, "groups-light-1280");
    await panel.getByRole("button", { name: "Clear grouping" }).click();
    await row(page, /Nia Vale/)
      .first()
      .waitFor();
    expect(draftOf(page)).toBeNull();

    await menuOf(page, "Status", "Summarize by this column");
    await row(page, /Contacted/)
      .getByRole("link")
      .click();
    await row(page, /Nia Vale/)
      .first()
      .waitFor();
    await expect.poll(() => count(page).textContent()).toBe("20");
    await page.getByRole("button", { name: "Close summary" }).click();
    await expect.poll(() => chips(page).allTextContents()).toEqual(["Status is Contacted"]);

    // The whole row leads there: the empty end of it, and Enter.
    const ways = [
      () => row(page, /Contacted/).click({ position: { x: 900, y: 12 } }),
      async () => {
        await row(page, /Contacted/)
          .getByRole("gridcell", { name: "20" })
          .focus();
        await page.keyboard.press("Enter");
      },
    ];
    for (const way of ways) {
      await page.goBack();
      await row(page, /Contacted.*20/).waitFor();
      await way();
      await row(page, /Nia Vale/)
        .first()
        .waitFor();
    }
  });

  test("a view is shared with chosen people by somebody who only reads the one it is made from", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, `${place}&sort=leads.score&dir=DESC`, "vera");
    await page.getByRole("button", { name: "View options: unsaved changes" }).click();
    await page
      .getByRole("menuitem", { name: "Update view" })
      .getByText("You don't have permission to change this view")
      .waitFor();
    await page.getByRole("menuitem", { name: "Save as new view" }).click();
    const dialog = page.getByRole("dialog");
    const name = `For Otto ${Date.now()}`;
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("Specific people, groups or roles").check();
    await dialog.getByLabel("Shared with").last().fill("ott");
    await option(page, "otto").click();
    await shoot(page, "save-view-light-1280");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await tab(page, name).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
    const id = new URL(page.url()).searchParams.get("view") ?? "";
    const seenBy = async (token: string) =>
      (await app.service.get(`/core/listviews/view.json?id=${id}&form=0`, token)).status;
    expect([await seenBy(otto.token), await seenBy(uli.token)]).toEqual([200, 404]);

    const friend = await app.visit();
    await enterQuickly(app, friend, "/crm/leads/index", "otto");
    await friend.getByRole("button", { name: /^View: / }).click();
    await friend.getByRole("menuitemradio", { name }).click();
    await tab(friend, name).waitFor();
    await friend.getByRole("button", { name: "View options" }).click();
    expect(await friend.getByRole("menuitem", { name: "Name and sharing" }).count()).toBe(0);

    await page.getByRole("button", { name: "View options" }).click();
    await page.getByRole("menuitem", { name: "Name and sharing" }).click();
    await dialog.getByRole("button", { name: "Remove otto" }).waitFor();
    await dialog.getByLabel("Only me").check();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => seenBy(otto.token)).toBe(404);
  });

  test("keeps changes as a draft until the view is updated or saved as a new one", async () => {
    const page = await app.visit();
    const admin = await app.service.login();
    const query = { fields: ["leads.name", "leads.score"], where: { "leads.status": "new" } };
    const listviews = { name: "Fresh", controller: "crm/leads", query: JSON.stringify(query) };
    const made = await app.service.post(
      "/core/listviews/add.json",
      { data: { listviews, action: { save_progress: "Save" } } },
      admin,
    );
    const stored = async (id: string) =>
      JSON.parse((await app.service.get(`/core/listviews/view.json?id=${id}`, admin)).body.data.listviews.query);
    await enterQuickly(app, page, `/crm/leads/index?view=${made.body.id}`);
    await row(page, /Nia Vale/)
      .first()
      .waitFor();
    const act = async (item: string | RegExp) => {
      await page.getByRole("button", { name: /^View options/ }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await menuOf(page, "Score", "Sort descending");
    await menuOf(page, "Score", "Show total");
    await expect.poll(() => draftOf(page)?.columns).toEqual({ "leads.score": { compute_column_total: "1" } });
    expect(await stored(made.body.id)).toMatchObject(query);
    await page.getByRole("button", { name: "Reset", exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("sort")).toBeNull();
    expect(draftOf(page)).toBeNull();

    await menuOf(page, "Score", "Show total");
    await act("Update view");
    await sees(page, "“Fresh” updated");
    await expect.poll(() => draftOf(page)).toBeNull();
    expect((await stored(made.body.id)).columns).toEqual({ "leads.score": { compute_column_total: "1" } });
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await stored(made.body.id)).columns).toBeUndefined();

    await menuOf(page, "Score", "Sort descending");
    await page.getByRole("button", { name: "New view" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Best first");
    await dialog.getByLabel("Everyone in the organization").check();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await tab(page, "Best first").waitFor();
    const id = new URL(page.url()).searchParams.get("view") ?? "";
    expect((await stored(id)).order).toEqual(["leads.score DESC"]);

    // Others use it now: it is not changed by one click.
    await menuOf(page, "Score", "Show total");
    await act("Update view");
    await page.getByRole("dialog", { name: /Update “Best first” for everyone/ }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect((await stored(id)).columns).toBeUndefined();
    await page.getByRole("button", { name: "Reset", exact: true }).click();

    await act("Name and sharing");
    await dialog.getByLabel("Name").fill("Best of all");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await tab(page, "Best of all").waitFor();
    await act("Delete view");
    await sees(page, "“Best of all” deleted");
    await page.getByRole("button", { name: "Undo" }).last().click();
    await tab(page, "Best of all").waitFor();
  });
});
